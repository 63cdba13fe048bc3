//! The files of a session at one time, with their compilations.

use std::sync::Arc;

use formwork_base::{Cancellation, FileBytes, Goal, Host, ReadError, VirtualPath};
use formwork_syntax::{FileCache, SourceContent};

use crate::compilation::Compilation;
use crate::options::Options;
use crate::revision::Revision;
use crate::run::Run;
use crate::shared::Shared;

/// The files of a session at one time, with options. It is immutable; a clone is cheap, and threads may share it.
#[derive(Clone)]
pub struct Snapshot<'h> {
    shared: Arc<Shared<'h>>,
    revision: Arc<Revision>,
    options: Arc<Options>,
}

impl std::fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("revision", &self.revision.number).finish_non_exhaustive()
    }
}

impl<'h> Snapshot<'h> {
    pub(crate) fn new(shared: Arc<Shared<'h>>, revision: Arc<Revision>, options: Arc<Options>) -> Snapshot<'h> {
        Snapshot { shared, revision, options }
    }

    /// Returns the same files with other options.
    #[must_use]
    pub fn with_options(&self, options: impl Into<Arc<Options>>) -> Snapshot<'h> {
        let (shared, revision) = (Arc::clone(&self.shared), Arc::clone(&self.revision));
        Snapshot { shared, revision, options: options.into() }
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the host.
    pub fn host(&self) -> &(dyn Host + 'h) {
        &*self.shared.host
    }

    /// Returns the number of the revision: it grows by one with each change.
    pub fn revision(&self) -> u64 {
        self.revision.number
    }

    /// Returns `true` if the session has a later snapshot.
    pub fn is_outdated(&self) -> bool {
        self.revision.cancellation.is_cancelled()
    }

    /// Returns the content of a file.
    ///
    /// # Errors
    /// Those of the host.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.source(path).map(|source| source.bytes().clone())
    }

    /// Returns a file as a value.
    ///
    /// # Errors
    /// Those of the host.
    pub fn source(&self, path: &VirtualPath) -> Result<Arc<SourceContent>, ReadError> {
        self.files().read(self.host(), path)
    }

    /// Reads the files of a template and unites them; nothing is linked or checked.
    pub fn unite(&self, root: &VirtualPath) -> Arc<Compilation> {
        Arc::new(Run::new(self.host(), self.files(), self.options(), &|_| {}, Goal::Expand).united(root))
    }

    pub(crate) fn shared(&self) -> &Shared<'h> {
        &self.shared
    }

    pub(crate) fn files(&self) -> &FileCache {
        &self.revision.files
    }

    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.revision.cancellation
    }

    pub(crate) fn known(&self, root: &VirtualPath, goal: Goal) -> Option<Arc<Compilation>> {
        self.revision.known(root, goal, &self.options)
    }

    /// Records a compilation as long as it is used. Of two concurrent ones, all users receive the first.
    pub(crate) fn remember(&self, root: &VirtualPath, goal: Goal, compiled: Compilation) -> Arc<Compilation> {
        self.revision.remember(root, goal, &self.options, compiled)
    }
}
