//! What a source map has about a place of the output.

/// The authored place of a node of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The file, from the directory of the root template.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1, in characters.
    pub column: u32,
    /// Number of the rule by which the node came to be (reference/provenance.md#origins).
    pub rule: u8,
    /// Whether the node is a key.
    pub is_key: bool,
    /// Contexts, the outermost first.
    pub frames: Vec<SiteFrame>,
    /// Where a computed value came from, the nearest first.
    pub sources: Vec<SiteSource>,
}

/// A context: an iteration, or a use of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteFrame {
    /// Number of its kind: `loop` 0, `module`, `package`, `constant`, `argument`, `output`, `override`, `fact`, `alias` 8.
    pub kind: u8,
    /// The loop variable, the import, the parameter.
    pub name: String,
    /// The item or value as text; the file of a module.
    pub value: Option<String>,
    /// Number of the iteration, from 0.
    pub index: Option<u32>,
    /// The name of the loop.
    pub loop_name: Option<String>,
    /// The file of the loop's or import's key; none for what the command line passes.
    pub file: Option<String>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}

impl SiteFrame {
    /// What it is in a few words: `iteration Name=Logs of loop Buckets`, `module Site`.
    pub fn words(&self) -> String {
        const KINDS: [&str; 9] =
            ["iteration", "module", "package", "constant", "argument", "output", "override", "fact", "alias"];
        let kind = KINDS.get(usize::from(self.kind)).copied().unwrap_or("context");
        let value = self.value.as_ref().filter(|_| self.kind == 0).map(|value| format!("={value}")).unwrap_or_default();
        let of = self.loop_name.as_ref().map(|name| format!(" of loop {name}")).unwrap_or_default();
        format!("{kind} {}{value}{of}", self.name)
    }
}

/// Where the text of a computed value came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteSource {
    /// Its kind, such as `argument`.
    pub kind: String,
    /// The name of a parameter, mapping or item.
    pub name: String,
    /// The file; none for what the command line passes.
    pub file: Option<String>,
    /// Its line.
    pub line: u32,
    /// Its column.
    pub column: u32,
}
