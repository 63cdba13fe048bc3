//! What is declared and used in one file, as plain data.

use std::ops::Range;

use formwork_base::VirtualPath;
use formwork_template::PseudoParameter;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::symbol::SymbolKind;

/// A range of bytes in the text of the file.
pub(crate) type TextRange = Range<u32>;

/// Names of a file, in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) uses: Vec<Use>,
    pub(crate) loops: Vec<LoopDeclaration>,
    pub(crate) imports: Vec<Import>,
    /// Numbers of declarations by their names.
    by_name: FxHashMap<String, Vec<usize>>,
}

impl Names {
    /// Declarations with a name, in order.
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = (usize, &Declaration)> {
        self.by_name.get(name).into_iter().flatten().map(|&at| (at, &self.declarations[at]))
    }

    /// Sorts what was found, once.
    pub(crate) fn finish(mut self) -> Names {
        self.uses.sort_by_key(|known| (known.range.start, known.range.end));
        for (at, declaration) in self.declarations.iter().enumerate() {
            self.by_name.entry(declaration.name.clone()).or_default().push(at);
        }
        self
    }
}

/// A declared name.
#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) kind: SymbolKind,
    pub(crate) name: String,
    pub(crate) detail: Option<String>,
    /// The name alone.
    pub(crate) name_range: TextRange,
    /// The whole declaration.
    pub(crate) range: TextRange,
    /// Where the name is visible; everywhere when `None`.
    pub(crate) scopes: Option<Vec<TextRange>>,
    /// What it is declared in, for outlines.
    pub(crate) parent: Option<usize>,
}

/// A place that names something.
#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) range: TextRange,
    pub(crate) expects: Expects,
}

/// What a place may name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expects {
    /// What `Ref`, `Fn::GetAtt` and the text of `Fn::Sub` name.
    Value,
    /// What `DependsOn` names.
    Dependency,
    Condition,
    Mapping,
    Constant,
    Package,
    /// A loop variable alone: a placeholder in a key or a name.
    LoopVariable,
    SubVariable,
    /// An import of the file.
    Import,
    /// A parameter of the module of an import, by the number of the import.
    ModuleParameter(usize),
    /// A resource of the module of an import.
    ModuleResource(usize),
    /// An output of the module of an import.
    ModuleOutput(usize),
    /// The file of an import.
    ModuleFile(usize),
}

/// How a loop is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum LoopKind {
    /// `Fn::ForEach`
    ForEach,
    /// `Fn::Map`
    Map,
    /// The attribute `ForEach` of an import or a resource.
    Attribute,
}

/// A loop as it is declared.
#[derive(Clone, Debug)]
pub(crate) struct LoopDeclaration {
    pub(crate) kind: LoopKind,
    pub(crate) name: Option<String>,
    pub(crate) variables: Vec<String>,
    /// The place by which an expansion names it: its key or function, or the key of what is repeated.
    pub(crate) site: TextRange,
    pub(crate) collection: Option<TextRange>,
    /// What is repeated.
    pub(crate) body: Vec<TextRange>,
}

/// A use of a module.
#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) name: String,
    /// The declaration of the import.
    pub(crate) declaration: usize,
    /// Its source as it is written.
    pub(crate) source: Option<String>,
}

/// Whether a cursor at `offset` touches a range: inside of it or at its end.
pub(crate) fn touches(range: &TextRange, offset: u32) -> bool {
    (range.start..=range.end).contains(&offset)
}

/// What a name stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// The declaration with this number in a file.
    Declared(VirtualPath, usize),
    Pseudo(PseudoParameter),
    /// A module.
    File(VirtualPath),
}
