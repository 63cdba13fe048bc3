//! The identity of a file.

use std::fs::Metadata;
use std::path::Path;

/// The identity of a regular file, independent of its names. Only Unix has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileId {
    device: u64,
    number: u64,
}

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
