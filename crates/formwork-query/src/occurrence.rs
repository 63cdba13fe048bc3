//! Declarations and uses of names in a file.

use formwork_base::{FileRange, VirtualPath};

use crate::index::FileIndex;
use crate::names::{Expects, Target};
use crate::project::Project;
use crate::symbol::SymbolKind;

/// A declaration or use of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Occurrence {
    /// The range of the name, without quotes, attributes and selectors.
    pub range: FileRange,
    /// The meaning of the name.
    pub kind: SymbolKind,
    /// Set if the name is declared here.
    pub is_declaration: bool,
}

/// A name that is used and not declared.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Missing {
    /// The name.
    pub name: String,
    /// The range of the use.
    pub range: FileRange,
    /// The expected kind: a parameter wherever a value may be meant.
    pub kind: SymbolKind,
}

impl Project {
    /// Returns every declaration in a file, and every use of a declared name, by position.
    pub fn occurrences(&self, file: &VirtualPath) -> Vec<Occurrence> {
        let Some(index) = self.file(file) else { return Vec::new() };
        let declared = index.names.declarations.iter().map(|known| Occurrence {
            range: index.file_range(&known.name_range),
            kind: known.kind,
            is_declaration: true,
        });
        let used = index.names.uses.iter().filter_map(|used| {
            let kind = self.kind_of(&self.resolve(index, used)?)?;
            Some(Occurrence { range: index.file_range(&used.range), kind, is_declaration: false })
        });
        let mut found: Vec<Occurrence> = declared.chain(used).collect();
        found.sort_by(|a, b| (&a.range, a.is_declaration).cmp(&(&b.range, b.is_declaration)));
        found
    }

    /// Returns the names that `Ref`, `Fn::GetAtt`, `Fn::Sub`, `DependsOn` and conditions use in a file and that are not
    /// declared, with the ranges of the uses and the expected kinds, by position.
    pub fn missing(&self, file: &VirtualPath) -> Vec<Missing> {
        let Some(index) = self.file(file) else { return Vec::new() };
        let unknown = index.names.uses.iter().filter(|used| self.resolve(index, used).is_none());
        let missing = unknown.filter_map(|used| {
            let kind = match used.expects {
                Expects::Value => SymbolKind::Parameter,
                Expects::Dependency => SymbolKind::Resource,
                Expects::Condition => SymbolKind::Condition,
                Expects::Mapping => SymbolKind::Mapping,
                Expects::ModuleFile(_) => SymbolKind::File,
                _ => return None,
            };
            Some(Missing { name: used.name.clone(), range: index.file_range(&used.range), kind })
        });
        missing.collect()
    }

    fn kind_of(&self, target: &Target) -> Option<SymbolKind> {
        match target {
            Target::Declared(file, at) => Some(self.file(file)?.names.declarations.get(*at)?.kind),
            Target::Pseudo(_) => Some(SymbolKind::PseudoParameter),
            Target::File(_) => Some(SymbolKind::File),
        }
    }
}

impl FileIndex {
    /// Returns the tree of the file, whose nodes have places in the position space of this file alone
    /// ([`FileIndex::range_of`]).
    pub fn tree(&self) -> &formwork_syntax::Tree {
        self.parsed.tree()
    }

    /// Returns the root of the tree; `None` when the file is too large to be read.
    pub fn root(&self) -> Option<formwork_syntax::NodeId> {
        self.parsed.root()
    }

    /// Returns the bytes of the file that a span of its tree covers.
    pub fn range_of(&self, span: formwork_base::Span) -> std::ops::Range<u32> {
        self.parsed.text_range(span)
    }
}
