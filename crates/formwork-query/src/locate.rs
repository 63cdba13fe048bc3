//! Where the parts of a scalar are written.

use formwork_syntax::NodeId;

use crate::names::TextRange;
use crate::parsed::ParsedFile;

/// Finds parts of the text of one scalar in its source, in order. Quotes, escapes and the indentation of blocks
/// keep text and source apart, so parts are looked for by what they are.
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

    /// Returns where `part` is written next; the whole scalar when it is written with escapes.
    pub(crate) fn next(&mut self, part: &str) -> TextRange {
        self.between("", part, "")
    }

    /// Returns where `part` is written next between two marks.
    pub(crate) fn between(&mut self, open: &str, part: &str, close: &str) -> TextRange {
        let rest = self.source.get(self.at..).unwrap_or_default();
        let Some(found) = rest.find(&format!("{open}{part}{close}")) else { return self.whole.clone() };
        let start = self.at + found + open.len();
        self.at = start + part.len();
        self.start + start as u32..self.start + self.at as u32
    }
}

/// A part of a text that was found in the source, as a range of its own: `text[from..from + len]`. The whole
/// when the text is not written as it is.
pub(crate) fn part(whole: &TextRange, text: &str, from: usize, len: usize) -> TextRange {
    if whole.len() != text.len() {
        return whole.clone();
    }
    whole.start + from as u32..whole.start + (from + len) as u32
}
