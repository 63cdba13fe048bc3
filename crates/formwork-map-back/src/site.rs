//! Sites: authored locations in a source map.

/// The authored location of a node of the output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The file, relative to the directory of the root template.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters.
    pub column: u32,
    /// Number of the rule that produced the node (reference/provenance.md#origins).
    pub rule: u8,
    /// Set if the node is a key.
    pub is_key: bool,
    /// The contexts, outermost first.
    pub frames: Vec<SiteFrame>,
    /// The sources of a computed value, nearest first.
    pub sources: Vec<SiteSource>,
}

/// A context: an iteration, or a use of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteFrame {
    /// Number of its kind: `loop` 0, `module`, `package`, `constant`, `argument`, `output`, `override`, `fact`,
    /// `alias` 8.
    pub kind: u8,
    /// The loop variable, import or parameter.
    pub name: String,
    /// The item or value as a string; the file of a module.
    pub value: Option<String>,
    /// Number of the iteration, from 0.
    pub index: Option<u32>,
    /// The name of the loop.
    pub loop_name: Option<String>,
    /// The file of the loop's or import's key; `None` for a value of the command line.
    pub file: Option<String>,
    /// The line of that key.
    pub line: u32,
    /// The column of that key.
    pub column: u32,
}

impl SiteFrame {
    /// Returns a short description: `iteration Name=Logs of loop Buckets`, `module Site`.
    pub fn words(&self) -> String {
        const KINDS: [&str; 9] =
            ["iteration", "module", "package", "constant", "argument", "output", "override", "fact", "alias"];
        let kind = KINDS.get(usize::from(self.kind)).copied().unwrap_or("context");
        let value = self.value.as_ref().filter(|_| self.kind == 0).map(|value| format!("={value}")).unwrap_or_default();
        let of = self.loop_name.as_ref().map(|name| format!(" of loop {name}")).unwrap_or_default();
        format!("{kind} {}{value}{of}", self.name)
    }
}

/// A source of a computed value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteSource {
    /// The kind of the source, such as `argument`.
    pub kind: String,
    /// The name of a parameter, mapping or item.
    pub name: String,
    /// The file; `None` for a value of the command line.
    pub file: Option<String>,
    /// The line in the file.
    pub line: u32,
    /// The column in the file.
    pub column: u32,
}
