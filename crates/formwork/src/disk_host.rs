//! A host that reads files of a disk within a project root.

use std::path::{Path, PathBuf};

use formwork_base::{FileBytes, Host, ReadError, VirtualPath};
use formwork_disk::Loader;

/// Reads files of a disk. Paths are relative to the directory of the root template. Links are followed; a target
/// outside the project root, or that is not a regular file, is rejected.
#[derive(Clone, Debug)]
pub struct DiskHost {
    directory: PathBuf,
    loader: Loader,
}

impl DiskHost {
    /// Creates a host for a template in `directory`. `root` is the project root; by default the directory itself.
    /// `limit` is the size of the largest file that is read, in bytes.
    ///
    /// # Errors
    /// When the project root does not exist.
    pub fn new(directory: &Path, root: Option<&Path>, limit: u64) -> std::io::Result<DiskHost> {
        Ok(DiskHost::with_loader(directory, Loader::new(root.unwrap_or(directory), limit)?))
    }

    /// Creates a host for a template in `directory` with a loader that may be shared.
    pub fn with_loader(directory: &Path, loader: Loader) -> DiskHost {
        DiskHost { directory: directory.to_owned(), loader }
    }

    /// Returns the loader of the files.
    pub fn loader(&self) -> &Loader {
        &self.loader
    }
}

impl Host for DiskHost {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.loader.read_bytes(&self.directory.join(path.as_str()))
    }

    fn full_path(&self, path: &VirtualPath) -> String {
        let full = self.directory.join(path.as_str());
        let full = std::path::absolute(&full).unwrap_or(full);
        VirtualPath::new(&full.to_string_lossy()).to_string()
    }

    #[allow(clippy::disallowed_methods, reason = "the host of a disk follows its links")]
    fn identity(&self, path: &VirtualPath) -> String {
        let full = self.directory.join(path.as_str());
        full.canonicalize().map_or_else(|_| self.full_path(path), |real| real.to_string_lossy().into_owned())
    }
}
