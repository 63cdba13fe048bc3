//! Origins of the text of generated files (reference/build.md#places).

use std::sync::Arc;

use crate::{FileBytes, Span, VirtualPath};

/// The origins of the text of a generated file, such as a built template.
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
    /// The path in reports.
    pub display: String,
    /// The content.
    pub bytes: FileBytes,
}

/// The beginning of a part of a generated text, and its authored place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OriginRow {
    /// The line, from 0.
    pub line: u32,
    /// The column in Unicode scalar values, from 0.
    pub column: u32,
    /// The number of the authored file.
    pub file: u32,
    /// First byte in the authored text.
    pub start: u32,
    /// The end in the authored text: the byte after the last one.
    pub end: u32,
}

impl OriginFile {
    /// Returns a path for the file in a session that no file on a disk has.
    pub fn path(&self, number: usize) -> VirtualPath {
        VirtualPath::new(&format!("<authored {number}>/{}", self.display))
    }
}

/// Places of a file of a session, each with the authored one that is shown instead.
#[derive(Clone, Debug)]
pub(crate) struct Redirect {
    pub(crate) whole: Span,
    /// Start of each place, in order, with the place that is shown instead.
    pub(crate) rows: Arc<[(u32, Span)]>,
}
