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
    /// The files of the template, if it has several.
    parts: Vec<VirtualPath>,
    expansion: Option<Arc<Expansion>>,
}

impl Project {
    /// Collects the template at `root` and, as far as `find` has them, the modules that it imports, directly or not.
    /// `find` is called once for each file; a caller that keeps the indexes need not index a file again.
    pub fn new(root: &VirtualPath, find: impl FnMut(&VirtualPath) -> Option<Arc<FileIndex>>) -> Project {
        Project::of_files(vec![root.clone()], find)
    }

    /// Like [`Project::new`], for a template of several files: names of each are known in the others.
    pub fn of_files(parts: Vec<VirtualPath>, mut find: impl FnMut(&VirtualPath) -> Option<Arc<FileIndex>>) -> Project {
        const MOST: usize = 10_000;
        let mut pending = parts.clone();
        let mut project = Project { parts, ..Project::default() };
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

    /// Returns the other files of the template that a file is a part of.
    pub(crate) fn others<'p>(&'p self, index: &FileIndex) -> impl Iterator<Item = &'p FileIndex> {
        let own = index.path().clone();
        let is_part = self.parts.contains(&own);
        let others = self.parts.iter().filter(move |path| is_part && **path != own);
        others.filter_map(|path| self.file(path))
    }

    pub(crate) fn module(&self, index: &FileIndex, import: usize) -> Option<&FileIndex> {
        self.file(&index.source_of(import)?)
    }
}
