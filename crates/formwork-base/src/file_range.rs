//! Places that stay valid without a session.

use std::fmt;

use serde::Serialize;

use crate::VirtualPath;

/// A half-open range of bytes in the decoded text of one file. Unlike a [`Span`](crate::Span) it means the same in
/// every session, and an edit of another file does not move it.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize)]
pub struct FileRange {
    /// The file.
    pub file: VirtualPath,
    /// First byte.
    pub start: u32,
    /// The end: the byte after the last one.
    pub end: u32,
}

impl FileRange {
    /// Returns the bytes of `file` from `start` up to, not including, `end`.
    pub fn new(file: VirtualPath, start: u32, end: u32) -> FileRange {
        FileRange { file, start, end }
    }

    /// Returns `true` when `offset` is inside the range or at its end, where an editor's cursor is after a word.
    pub fn touches(&self, offset: u32) -> bool {
        (self.start..=self.end).contains(&offset)
    }
}

impl fmt::Display for FileRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.file, self.start, self.end)
    }
}
