//! Symbols of a template.

use formwork_base::FileRange;
use serde::Serialize;

/// The kind of a symbol.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SymbolKind {
    /// A section of the template.
    Section,
    /// A parameter of the template or module.
    Parameter,
    /// A pseudo parameter, such as `AWS::Region`, which has no declaration.
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
    /// A variable that an `Fn::Sub` declares for its own string.
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
    /// The kind of the symbol.
    pub kind: SymbolKind,
    /// The declared name; in a loop with its placeholders, such as `Bucket${Name}`.
    pub name: String,
    /// The type of a parameter or resource, the source of an import.
    pub detail: Option<String>,
    /// The range of the name in its declaration; `None` for a pseudo parameter.
    pub declared: Option<FileRange>,
    /// The range of the whole declaration.
    pub declaration: Option<FileRange>,
}

/// A declaration or use of a name, ordered by position.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[non_exhaustive]
pub struct SymbolUse {
    /// The range of the name, without quotes, attributes and selectors.
    pub range: FileRange,
    /// Set if the name is declared here.
    pub is_declaration: bool,
}

impl SymbolUse {
    /// Creates a declaration (`is_declaration`) or use of a name.
    pub fn new(range: FileRange, is_declaration: bool) -> SymbolUse {
        SymbolUse { range, is_declaration }
    }
}
