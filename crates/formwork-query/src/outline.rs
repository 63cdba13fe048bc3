//! The declarations of a file, for the outline of an editor.

use formwork_base::{FileRange, VirtualPath};
use serde::Serialize;

use crate::index::FileIndex;
use crate::project::Project;
use crate::symbol::SymbolKind;

/// A declaration, with those that it contains.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct OutlineItem {
    /// The kind of declaration.
    pub kind: SymbolKind,
    /// The name of the declaration.
    pub name: String,
    /// The type of a parameter or resource, the source of an import.
    pub detail: Option<String>,
    /// The range of the name.
    pub declared: FileRange,
    /// The range of the whole declaration.
    pub declaration: FileRange,
    /// The declarations in it: entries of a section, or of a loop's fragment.
    pub children: Vec<OutlineItem>,
}

impl Project {
    /// Returns the declarations of a file, sections first. Variables of loops and strings are omitted.
    pub fn outline(&self, file: &VirtualPath) -> Vec<OutlineItem> {
        self.file(file).map_or_else(Vec::new, outline)
    }
}

fn outline(index: &FileIndex) -> Vec<OutlineItem> {
    let declarations = &index.names.declarations;
    let mut items: Vec<Option<OutlineItem>> = Vec::with_capacity(declarations.len());
    for known in declarations {
        let is_shown = !matches!(known.kind, SymbolKind::LoopVariable | SymbolKind::SubVariable);
        items.push(is_shown.then(|| OutlineItem {
            kind: known.kind,
            name: known.name.clone(),
            detail: known.detail.clone(),
            declared: index.file_range(&known.name_range),
            declaration: index.file_range(&known.range),
            children: Vec::new(),
        }));
    }
    // A child is declared after its parent, so that the last ones have no more children to come.
    let mut roots = Vec::new();
    for at in (0..items.len()).rev() {
        let Some(mut item) = items[at].take() else { continue };
        item.children.reverse();
        match declarations[at].parent.and_then(|parent| items[parent].as_mut()) {
            Some(parent) => parent.children.push(item),
            None => roots.push(item),
        }
    }
    roots.reverse();
    roots
}
