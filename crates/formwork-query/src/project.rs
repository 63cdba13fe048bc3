//! A template and the modules that it imports.

use std::collections::BTreeMap;
use std::sync::Arc;

use formwork_base::VirtualPath;

use crate::expansion::Expansion;
use crate::index::FileIndex;
use crate::node::{NodeAt, node_at};

/// A template and the modules that it imports, the entry point of all queries. Offsets are in bytes of the file, as
/// [`FileIndex::lines`] computes them from lines and columns.
#[derive(Clone, Debug, Default)]
pub struct Project {
    files: BTreeMap<VirtualPath, Arc<FileIndex>>,
    expansion: Option<Arc<Expansion>>,
}

impl Project {
    /// Collects the template at `root` and, as far as `find` has them, the modules that it imports, directly or not.
    /// `find` is called once for each file; a caller that keeps the indexes need not index a file again.
    pub fn new(root: &VirtualPath, mut find: impl FnMut(&VirtualPath) -> Option<Arc<FileIndex>>) -> Project {
        const MOST: usize = 10_000;
        let mut project = Project::default();
        let mut pending = vec![root.clone()];
        let mut asked = std::collections::BTreeSet::new();
        while let Some(path) = pending.pop() {
            if asked.len() >= MOST || !asked.insert(path.clone()) {
                continue;
            }
            if let Some(index) = find(&path) {
                pending.extend(index.sources_of_imports());
                project.files.insert(path, index);
            }
        }
        project
    }

    /// Sets the results of an expansion of its template.
    #[must_use]
    pub fn with_expansion(mut self, expansion: impl Into<Arc<Expansion>>) -> Project {
        self.expansion = Some(expansion.into());
        self
    }

    /// Returns a file of the project.
    pub fn file(&self, path: &VirtualPath) -> Option<&FileIndex> {
        self.files.get(path).map(|index| &**index)
    }

    /// Returns the files of the project, by path.
    pub fn files(&self) -> impl Iterator<Item = &FileIndex> {
        self.files.values().map(|index| &**index)
    }

    pub(crate) fn expansion(&self) -> Option<&Expansion> {
        self.expansion.as_deref()
    }

    /// Returns the innermost node at a position.
    pub fn node_at(&self, file: &VirtualPath, offset: u32) -> Option<NodeAt> {
        let index = self.file(file)?;
        let file = &index.parsed;
        node_at(file.tree(), file.sources(), file.root()?, file.base() + offset)
    }

    pub(crate) fn module(&self, index: &FileIndex, import: usize) -> Option<&FileIndex> {
        self.file(&index.source_of(import)?)
    }
}
