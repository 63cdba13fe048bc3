//! Which file it is.

use std::fs::Metadata;
use std::path::Path;

/// What distinguishes a regular file from every other one, whatever its names are. Only Unix has that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    number: u64,
}

/// The identity of the file that a path leads to.
pub(crate) fn file_id(path: &Path) -> Option<FileId> {
    id_of(&path.metadata().ok()?)
}

#[cfg(unix)]
pub(crate) fn id_of(metadata: &Metadata) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt;
    metadata.is_file().then(|| FileId { device: metadata.dev(), number: metadata.ino() })
}

#[cfg(not(unix))]
pub(crate) fn id_of(_: &Metadata) -> Option<FileId> {
    None
}
