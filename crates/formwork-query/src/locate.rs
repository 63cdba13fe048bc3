//! Locates the parts of a scalar in its source.

use formwork_syntax::NodeId;

use crate::names::TextRange;
use crate::parsed::ParsedFile;

/// Finds parts of one scalar's string in its source, in order. Because of quotes, escapes and the indentation of
/// blocks, string and source differ, so parts are searched by their content.
pub(crate) struct Locator<'i> {
    source: &'i str,
    start: u32,
    at: usize,
    whole: TextRange,
}

impl<'i> Locator<'i> {
    pub(crate) fn new(file: &'i ParsedFile, node: NodeId) -> Locator<'i> {
        let span = file.tree().span(node);
        let whole = file.text_range(span);
        Locator { source: file.sources().slice(span), start: whole.start, at: 0, whole }
    }

    /// Returns the range of the next `part`; the whole scalar if the part is written with escapes.
    pub(crate) fn next(&mut self, part: &str) -> TextRange {
        self.between("", part, "")
    }

    /// Returns the range of the next `part` between two marks.
    pub(crate) fn between(&mut self, open: &str, part: &str, close: &str) -> TextRange {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let Some(found) = rest.find(&format!("{open}{part}{close}")) else { return self.whole.clone() };
        let start = self.at + found + open.len();
        self.at = start + part.len();
        self.start + start as u32..self.start + self.at as u32
    }
}

/// Returns the range of `text[from..from + len]`; the whole range if the source differs from the string.
pub(crate) fn part(whole: &TextRange, text: &str, from: usize, len: usize) -> TextRange {
    if whole.len() != text.len() {
        return whole.clone();
    }
    whole.start + from as u32..whole.start + (from + len) as u32
}
