//! Notifications of a run in progress.

use formwork_base::{FileBytes, Host, Origins, ReadError, VirtualPath};

/// The beginning of a step of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Progress<'p> {
    /// A stage by its name: `load`, `parse`, `link`, `check`, `rules`, `expand`, `evaluate`.
    Stage(&'static str),
    /// The read of a file that the session does not know yet.
    File(&'p VirtualPath),
    /// The read of a URL that the session does not know yet.
    Remote(&'p str),
}

/// A host whose reads are reported.
pub(crate) struct Watched<'w> {
    pub(crate) host: &'w dyn Host,
    pub(crate) progress: &'w (dyn Fn(Progress<'_>) + Sync),
}

impl Host for Watched<'_> {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        (self.progress)(Progress::File(path));
        self.host.read(path)
    }

    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        (self.progress)(Progress::Remote(address));
        self.host.read_remote(address)
    }

    fn full_path(&self, path: &VirtualPath) -> String {
        self.host.full_path(path)
    }

    fn identity(&self, path: &VirtualPath) -> String {
        self.host.identity(path)
    }

    fn origins(&self, path: &VirtualPath) -> Option<Origins> {
        self.host.origins(path)
    }

    fn is_pinned(&self, address: &str) -> bool {
        self.host.is_pinned(address)
    }
}
