//! Loops around a position.

use formwork_base::{FileRange, VirtualPath};
use serde::Serialize;

use crate::names::{LoopDeclaration, LoopKind, touches};
use crate::project::Project;

/// A loop around a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[non_exhaustive]
pub struct EnclosingLoop {
    /// The syntax of the loop.
    pub kind: LoopKind,
    /// The name of the loop, when it has one.
    pub name: Option<String>,
    /// The variables of the loop.
    pub variables: Vec<String>,
    /// The key or function that declares the loop; with the attribute `ForEach` the key of the import or resource.
    pub declared: FileRange,
    /// The collection of the loop.
    pub collection: Option<FileRange>,
    /// The source of the collection.
    pub collection_text: String,
    /// The items of its iterations in the last expansion, in order and without duplicates; empty without an expansion.
    /// Lists and objects are omitted.
    pub items: Vec<String>,
}

impl Project {
    /// Returns the loops around the byte at `offset` of a file, outermost first. A loop is around its fragment, not
    /// around its collection.
    pub fn enclosing_loops(&self, file: &VirtualPath, offset: u32) -> Vec<EnclosingLoop> {
        self.loops_where(file, |known| known.body.iter().any(|range| touches(range, offset)))
    }

    /// Returns every loop of a file, in order.
    pub fn loops(&self, file: &VirtualPath) -> Vec<EnclosingLoop> {
        self.loops_where(file, |_| true)
    }

    fn loops_where(&self, file: &VirtualPath, is_wanted: impl Fn(&LoopDeclaration) -> bool) -> Vec<EnclosingLoop> {
        let Some(index) = self.file(file) else { return Vec::new() };
        let found = index.names.loops.iter().filter(|known| is_wanted(known)).map(|known| {
            let declared = index.file_range(&known.site);
            EnclosingLoop {
                kind: known.kind,
                name: known.name.clone(),
                variables: known.variables.clone(),
                items: self.expansion().map_or_else(Vec::new, |expansion| expansion.items(&declared)),
                declared,
                collection: known.collection.as_ref().map(|range| index.file_range(range)),
                collection_text: known.collection.as_ref().map_or_else(String::new, |range| {
                    index.text().get(range.start as usize..range.end as usize).unwrap_or_default().to_owned()
                }),
            }
        });
        let mut found: Vec<EnclosingLoop> = found.collect();
        found.sort_by_key(|known| known.declared.start);
        found
    }
}
