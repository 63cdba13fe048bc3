//! A file as it was parsed.

use formwork_base::{Diagnostics, FileRange, Limits, LineIndex, SourceMap, Span, VirtualPath};
use formwork_syntax::{NodeId, Tree};

use crate::names::TextRange;

/// The tree of one file, and where its nodes are written.
#[derive(Debug)]
pub(crate) struct ParsedFile {
    path: VirtualPath,
    sources: SourceMap,
    lines: LineIndex,
    tree: Tree,
    root: Option<NodeId>,
    is_well_formed: bool,
}

impl ParsedFile {
    /// Parses a text. A file that is too large has no root.
    pub(crate) fn new(path: VirtualPath, text: &str, limits: &Limits) -> ParsedFile {
        let (mut tree, mut sources) = (Tree::new(), SourceMap::new());
        let is_small = text.len() as u64 <= limits.file_bytes;
        let file = sources.add(path.clone(), if is_small { text } else { "" });
        let document =
            file.map(|file| formwork_syntax::read(&mut tree, &sources, file, limits, &mut Diagnostics::new()));
        ParsedFile {
            lines: LineIndex::new(text),
            path,
            sources,
            tree,
            root: document.map(|document| document.root),
            is_well_formed: is_small && document.is_some_and(|document| document.is_well_formed),
        }
    }

    pub(crate) fn path(&self) -> &VirtualPath {
        &self.path
    }

    /// Returns the text of the file, without a byte order mark.
    pub(crate) fn text(&self) -> &str {
        self.sources.files().next().map_or("", |file| self.sources.text(file))
    }

    pub(crate) fn lines(&self) -> &LineIndex {
        &self.lines
    }

    pub(crate) fn is_well_formed(&self) -> bool {
        self.is_well_formed
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        self.root
    }

    pub(crate) fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Position of the file's first byte in its own tree.
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
