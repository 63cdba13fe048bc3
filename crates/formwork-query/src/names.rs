//! The declarations and uses of one file, as plain data.

use std::ops::Range;

use formwork_base::VirtualPath;
use formwork_template::PseudoParameter;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::symbol::SymbolKind;

/// A range of bytes in the file.
pub(crate) type TextRange = Range<u32>;

/// Declarations and uses of a file, in the order of their positions.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) declarations: Vec<Declaration>,
    pub(crate) uses: Vec<Use>,
    pub(crate) loops: Vec<LoopDeclaration>,
    pub(crate) imports: Vec<Import>,
    by_name: FxHashMap<String, Vec<usize>>,
}

impl Names {
    pub(crate) fn named(&self, name: &str) -> impl Iterator<Item = (usize, &Declaration)> {
        self.by_name.get(name).into_iter().flatten().map(|&at| (at, &self.declarations[at]))
    }

    pub(crate) fn finish(mut self) -> Names {
        self.uses.sort_by_key(|known| (known.range.start, known.range.end));
        for (at, declaration) in self.declarations.iter().enumerate() {
            self.by_name.entry(declaration.name.clone()).or_default().push(at);
        }
        self
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Declaration {
    pub(crate) kind: SymbolKind,
    pub(crate) name: String,
    pub(crate) detail: Option<String>,
    pub(crate) name_range: TextRange,
    pub(crate) range: TextRange,
    /// The ranges in which the name is visible; everywhere when `None`.
    pub(crate) scopes: Option<Vec<TextRange>>,
    /// The declaration that contains it, for outlines.
    pub(crate) parent: Option<usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Use {
    pub(crate) name: String,
    pub(crate) range: TextRange,
    pub(crate) expects: Expects,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Expects {
    /// A name in `Ref`, `Fn::GetAtt` or the string of `Fn::Sub`.
    Value,
    Dependency,
    Condition,
    Mapping,
    Constant,
    Package,
    /// A loop variable alone: a placeholder in a key or a name.
    LoopVariable,
    SubVariable,
    Import,
    /// A parameter of the module of an import, by the number of the import.
    ModuleParameter(usize),
    ModuleResource(usize),
    ModuleOutput(usize),
    ModuleFile(usize),
}

/// The syntax of a loop.
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

#[derive(Clone, Debug)]
pub(crate) struct LoopDeclaration {
    pub(crate) kind: LoopKind,
    pub(crate) name: Option<String>,
    pub(crate) variables: Vec<String>,
    /// The range by which an expansion identifies it: its key or function, or the key of the repeated declaration.
    pub(crate) site: TextRange,
    pub(crate) collection: Option<TextRange>,
    /// The ranges of the repeated parts.
    pub(crate) body: Vec<TextRange>,
}

#[derive(Clone, Debug)]
pub(crate) struct Import {
    pub(crate) name: String,
    pub(crate) declaration: usize,
    /// The source as written.
    pub(crate) source: Option<String>,
}

/// Returns `true` if a cursor at `offset` touches a range: inside of it or at its end.
pub(crate) fn touches(range: &TextRange, offset: u32) -> bool {
    (range.start..=range.end).contains(&offset)
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// The declaration with this number in a file.
    Declared(VirtualPath, usize),
    Pseudo(PseudoParameter),
    File(VirtualPath),
}
