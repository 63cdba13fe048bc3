//! Files of a disk, within a project root.
#![allow(clippy::disallowed_methods, reason = "the one place of the library that reads a disk")]

use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use formwork_base::{FileBytes, Host, ReadError, VirtualPath};

/// Reads files of a disk. Paths are relative to the folder of the root template; links are followed,
/// and what then lies outside the project root is refused.
#[derive(Clone, Debug)]
pub struct DiskHost {
    folder: PathBuf,
    root: PathBuf,
    limit: u64,
}

impl DiskHost {
    /// A host for a template in `folder`. `root` is the project root; the folder itself without one.
    /// `limit` is the size of the largest file that is read, in bytes.
    ///
    /// # Errors
    /// When the project root does not exist.
    pub fn new(folder: &Path, root: Option<&Path>, limit: u64) -> std::io::Result<DiskHost> {
        let root = root.unwrap_or(folder);
        let root = if root.as_os_str().is_empty() { Path::new(".") } else { root };
        Ok(DiskHost { folder: folder.to_owned(), root: root.canonicalize()?, limit })
    }
}

impl Host for DiskHost {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        let full = self.folder.join(path.as_str());
        let real = full.canonicalize().map_err(|error| reason(&error))?;
        if !real.starts_with(&self.root) {
            return Err(ReadError::OutsideRoot);
        }
        read_file(&real, self.limit)
    }
}

/// Reads a whole file of at most `limit` bytes.
fn read_file(path: &Path, limit: u64) -> Result<FileBytes, ReadError> {
    let file = std::fs::File::open(path).map_err(|error| reason(&error))?;
    if file.metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Err(ReadError::IsDirectory);
    }
    let mut bytes = Vec::new();
    file.take(limit + 1).read_to_end(&mut bytes).map_err(|error| reason(&error))?;
    if bytes.len() as u64 > limit { Err(ReadError::TooLarge { limit }) } else { Ok(bytes.into()) }
}

fn reason(error: &std::io::Error) -> ReadError {
    match error.kind() {
        ErrorKind::NotFound => ReadError::NotFound,
        ErrorKind::PermissionDenied => ReadError::Denied,
        ErrorKind::IsADirectory => ReadError::IsDirectory,
        _ => ReadError::Other(error.to_string()),
    }
}
