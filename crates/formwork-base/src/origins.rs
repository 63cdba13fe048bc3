//! Where the text of a generated file comes from (reference/build.md#places).

use std::sync::Arc;

use crate::{FileBytes, Span, VirtualPath};

/// Where the text of a generated file comes from, such as that of a built template.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    /// The authored files, as they were when the text was generated.
    pub files: Vec<OriginFile>,
    /// The places of the generated text, in their order.
    pub rows: Vec<OriginRow>,
}

/// An authored file.
#[derive(Clone, Debug)]
pub struct OriginFile {
    /// Its path as reports show it.
    pub display: String,
    /// Its content.
    pub bytes: FileBytes,
}

/// A place of a generated text, and where what begins there was authored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OriginRow {
    /// The line, from 0.
    pub line: u32,
    /// The column in Unicode scalar values, from 0.
    pub column: u32,
    /// The number of the authored file.
    pub file: u32,
    /// The byte in that file's text where it begins.
    pub start: u32,
    /// The byte behind its end.
    pub end: u32,
}

impl OriginFile {
    /// A path for the file in a session, which no file on a disk has.
    pub fn path(&self, number: usize) -> VirtualPath {
        VirtualPath::new(&format!("<authored {number}>/{}", self.display))
    }
}

/// Places of a file of a session, each with the authored one that is shown instead.
#[derive(Clone, Debug)]
pub(crate) struct Redirect {
    /// The file.
    pub(crate) whole: Span,
    /// Where a place begins, in order, and what is shown.
    pub(crate) rows: Arc<[(u32, Span)]>,
}
