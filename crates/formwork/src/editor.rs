//! What editors ask of a session.

use std::sync::Arc;

use formwork_base::VirtualPath;
use formwork_query::{Expansion, FileIndex, Project};

use crate::compilation::Compilation;
use crate::session::Session;
use crate::snapshot::Snapshot;

impl Session<'_> {
    /// Returns what the template at `root` and its modules declare and use. Files are read and indexed when they
    /// are first asked for; after an edit only what was edited is indexed again.
    pub fn project(&self, root: &VirtualPath) -> Project {
        self.snapshot().project(root)
    }

    /// Returns what one file declares and uses; `None` when it cannot be read.
    pub fn index(&self, path: &VirtualPath) -> Option<Arc<FileIndex>> {
        self.snapshot().index(path)
    }
}

impl Snapshot<'_> {
    /// Returns what the template at `root` and its modules declare and use.
    pub fn project(&self, root: &VirtualPath) -> Project {
        Project::new(root, |path| self.index(path))
    }

    /// Returns what one file declares and uses; `None` when it cannot be read.
    pub fn index(&self, path: &VirtualPath) -> Option<Arc<FileIndex>> {
        let source = self.source(path).ok()?;
        Some(self.shared().indexes.index(path, source, &self.options().limits))
    }
}

impl Compilation {
    /// Returns the items of loops and the names that loops and modules generated, for
    /// [`Project::with_expansion`].
    pub fn expansion(&self) -> Expansion {
        Expansion::new(&self.tree, &self.sources, self.expanded_root().unwrap_or(self.root))
    }
}
