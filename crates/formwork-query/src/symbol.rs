//! Things that a template names.

use formwork_base::FileRange;
use serde::Serialize;

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SymbolKind {
    /// A section of the template.
    Section,
    /// A parameter of the template, or of the module that its file is.
    Parameter,
    /// A pseudo parameter, such as `AWS::Region`. It is declared nowhere.
    PseudoParameter,
    /// A resource, by its logical ID.
    Resource,
    /// A condition.
    Condition,
    /// A mapping.
    Mapping,
    /// An output.
    Output,
    /// A rule.
    Rule,
    /// A loop, by its name.
    Loop,
    /// A variable of a loop.
    LoopVariable,
    /// A variable that an `Fn::Sub` declares for its own text.
    SubVariable,
    /// A use of a module.
    Import,
    /// A package.
    Package,
    /// A constant.
    Constant,
    /// The file of a module.
    File,
}

/// A declared name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct Symbol {
    /// What it stands for.
    pub kind: SymbolKind,
    /// The name as it is declared; in a loop with its placeholders, such as `Bucket${Name}`.
    pub name: String,
    /// The type of a parameter or resource, the source of an import.
    pub detail: Option<String>,
    /// Where the name is declared; `None` for a pseudo parameter.
    pub declared: Option<FileRange>,
    /// The whole declaration.
    pub declaration: Option<FileRange>,
}

/// A place where a name is declared or used, ordered by position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[non_exhaustive]
pub struct SymbolUse {
    /// The name, without quotes, attributes and selectors.
    pub range: FileRange,
    /// Whether the name is declared here.
    pub is_declaration: bool,
}

impl SymbolUse {
    /// A place that declares (`is_declaration`) or uses a name.
    pub fn new(range: FileRange, is_declaration: bool) -> SymbolUse {
        SymbolUse { range, is_declaration }
    }
}
