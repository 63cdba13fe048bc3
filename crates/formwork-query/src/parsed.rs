//! Parsed files.

use std::sync::Arc;

use formwork_base::{Cancellation, FileRange, Limits, LineIndex, SourceMap, SourceText, Span, VirtualPath};
use formwork_syntax::{NodeId, Parsed, SourceContent, Tree};

use crate::names::TextRange;

/// The tree of one file, and the positions of its nodes.
#[derive(Debug)]
pub(crate) struct ParsedFile {
    path: VirtualPath,
    text: Arc<SourceText>,
    /// Source map of the file alone.
    sources: SourceMap,
    /// `None` for a file that is too large.
    parsed: Option<Arc<Parsed>>,
    empty: Tree,
}

impl ParsedFile {
    /// Creates the value with the tree of a file, which may be shared. A file that is too large has no root.
    pub(crate) fn new(path: VirtualPath, source: &SourceContent, limits: &Limits) -> ParsedFile {
        let text = Arc::clone(source.text());
        let mut sources = SourceMap::new();
        let is_small = text.text().len() as u64 <= limits.file_bytes;
        let has_room = is_small && sources.insert(path.clone(), path.as_str(), Arc::clone(&text)).is_some();
        let parsed = has_room.then(|| source.parse(&path, limits, &Cancellation::never(), &mut || {}));
        ParsedFile { path, text, sources, parsed, empty: Tree::new() }
    }

    pub(crate) fn path(&self) -> &VirtualPath {
        &self.path
    }

    pub(crate) fn text(&self) -> &str {
        if self.parsed.is_some() { self.text.text() } else { "" }
    }

    pub(crate) fn lines(&self) -> &LineIndex {
        self.text.lines()
    }

    pub(crate) fn is_well_formed(&self) -> bool {
        self.parsed.as_ref().is_some_and(|parsed| parsed.is_well_formed)
    }

    pub(crate) fn tree(&self) -> &Tree {
        self.parsed.as_ref().map_or(&self.empty, |parsed| &parsed.tree)
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        self.parsed.as_ref().map(|parsed| parsed.root)
    }

    pub(crate) fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Returns the position of the file's first byte in its own tree.
    pub(crate) fn base(&self) -> u32 {
        self.sources.files().next().map_or(0, |file| self.sources.base(file))
    }

    pub(crate) fn text_range(&self, span: Span) -> TextRange {
        let base = self.base();
        span.start().saturating_sub(base)..span.end().saturating_sub(base)
    }

    pub(crate) fn file_range(&self, range: &TextRange) -> FileRange {
        FileRange::new(self.path.clone(), range.start, range.end)
    }
}
