//! Names that may be written at a position.

use formwork_base::VirtualPath;
use formwork_syntax::has_placeholder;
use formwork_template::PseudoParameter;
use serde::Serialize;

use crate::index::FileIndex;
use crate::names::{Declaration, Expects, TextRange};
use crate::project::Project;
use crate::symbol::SymbolKind;

/// A name that may be written at a position.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
#[non_exhaustive]
pub struct VisibleName {
    /// The kind of symbol.
    pub kind: SymbolKind,
    /// The name.
    pub name: String,
    /// The type of a parameter or resource, the source of an import, the items of a generated logical ID.
    pub detail: Option<String>,
}

impl VisibleName {
    /// Creates the name of a loop variable.
    pub fn variable(name: &str) -> VisibleName {
        VisibleName { kind: SymbolKind::LoopVariable, name: name.to_owned(), detail: None }
    }
}

impl Project {
    /// Returns the names that may be written at the byte at `offset` of a file: conditions in arguments that take
    /// conditions, after `Import.` the outputs of its module, elsewhere the names that `Ref`, `Fn::GetAtt` and
    /// `Fn::Sub` can refer to. Variables of the loops around are first; generated logical IDs come from the last
    /// expansion.
    pub fn visible_names(&self, file: &VirtualPath, offset: u32) -> Vec<VisibleName> {
        let Some(index) = self.file(file) else { return Vec::new() };
        let used = Project::use_at(index, offset).next().map_or(Expects::Value, |used| used.expects);
        let of = |kinds: &[SymbolKind]| self.visible(index, kinds, offset);
        let in_module = |import: usize, kind: SymbolKind| {
            self.module(index, import).map_or_else(Vec::new, |module| module.visible(&[kind], 0))
        };
        match used {
            Expects::LoopVariable => of(&[SymbolKind::LoopVariable]),
            Expects::Condition => of(&[SymbolKind::Condition]),
            Expects::Mapping => of(&[SymbolKind::Mapping]),
            Expects::Constant => of(&[SymbolKind::Constant]),
            Expects::Package | Expects::ModuleFile(_) => of(&[SymbolKind::Package]),
            Expects::Import => of(&[SymbolKind::Import]),
            Expects::ModuleParameter(import) => in_module(import, SymbolKind::Parameter),
            Expects::ModuleResource(import) => in_module(import, SymbolKind::Resource),
            Expects::ModuleOutput(import) => in_module(import, SymbolKind::Output),
            Expects::Dependency => {
                let mut names = of(&[SymbolKind::Resource, SymbolKind::Import]);
                names.extend(self.generated_names());
                names
            }
            Expects::Value | Expects::SubVariable => {
                let mut names = of(&[
                    SymbolKind::LoopVariable,
                    SymbolKind::SubVariable,
                    SymbolKind::Parameter,
                    SymbolKind::Resource,
                    SymbolKind::Import,
                ]);
                names.extend(self.generated_names());
                names.extend(PseudoParameter::ALL.iter().map(|pseudo| VisibleName {
                    kind: SymbolKind::PseudoParameter,
                    name: pseudo.name().to_owned(),
                    detail: None,
                }));
                names
            }
        }
    }

    /// Returns the declared names of some kinds that are visible at a position, by kind and in the order of the file.
    pub fn names_of_kinds(&self, file: &VirtualPath, offset: u32, kinds: &[SymbolKind]) -> Vec<VisibleName> {
        self.file(file).map_or_else(Vec::new, |index| self.visible(index, kinds, offset))
    }

    /// The names that are visible in a file, with those of the other files of its template.
    fn visible(&self, index: &FileIndex, kinds: &[SymbolKind], offset: u32) -> Vec<VisibleName> {
        let is_global = |kind: &&SymbolKind| !matches!(kind, SymbolKind::LoopVariable | SymbolKind::SubVariable);
        let global: Vec<SymbolKind> = kinds.iter().filter(is_global).copied().collect();
        let mut names = index.visible(kinds, offset);
        for other in self.others(index) {
            for name in other.visible(&global, 0) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Returns the logical IDs of resources that loops and imports generated in the last expansion.
    pub fn generated_names(&self) -> impl Iterator<Item = VisibleName> + '_ {
        let ids = self.expansion().map_or(&[][..], |expansion| expansion.ids());
        ids.iter().filter(|id| id.section == "Resources").map(|id| VisibleName {
            kind: SymbolKind::Resource,
            name: id.id.clone(),
            detail: (!id.items.is_empty()).then(|| id.items.join(", ")),
        })
    }
}

impl FileIndex {
    /// Returns names of some kinds that are visible at a position, by kind and in order; of variables with the same
    /// name, the innermost one.
    fn visible(&self, kinds: &[SymbolKind], offset: u32) -> Vec<VisibleName> {
        let here: TextRange = offset..offset;
        let is_in = |scope: &TextRange| scope.start <= here.start && here.end <= scope.end;
        let is_visible = |known: &Declaration| known.scopes.as_ref().is_none_or(|scopes| scopes.iter().any(is_in));
        // A name with a placeholder is not a name in the result.
        let is_whole = |known: &Declaration| !has_placeholder(&known.name);
        let mut names: Vec<VisibleName> = Vec::new();
        for &kind in kinds {
            let of_kind = self.names.declarations.iter().filter(|known| known.kind == kind);
            for known in of_kind.filter(|known| is_visible(known) && is_whole(known)) {
                let name = VisibleName { kind, name: known.name.clone(), detail: known.detail.clone() };
                if kind != SymbolKind::LoopVariable || !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }
}
