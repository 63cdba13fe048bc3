//! The text of a file with indexes that are computed once.

use std::sync::OnceLock;

use crate::{FileText, LineIndex};

/// The text of a file without its path or position, so that all runs that read the same content share it.
#[derive(Debug)]
pub struct SourceText {
    text: FileText,
    lines: OnceLock<LineIndex>,
    /// Indexes of the first lines of the text, each longer than the one before; `None` where a line is too long.
    first_lines: [OnceLock<Option<LineIndex>>; FIRST.len()],
    marks: OnceLock<Box<[usize]>>,
}

/// Least lengths of the first parts that are indexed: most runs report a few places, many of them near the beginning.
const FIRST: [usize; 2] = [1 << 15, 1 << 18];

impl SourceText {
    /// The beginning of a comment that suppresses diagnostics.
    pub const MARK: &str = "formwork:";

    /// Wraps a text that has no indexes yet.
    pub fn new(text: impl Into<FileText>) -> SourceText {
        SourceText {
            text: text.into(),
            lines: OnceLock::new(),
            first_lines: Default::default(),
            marks: OnceLock::new(),
        }
    }

    /// Returns the text.
    pub fn text(&self) -> &FileText {
        &self.text
    }

    /// Returns the length in bytes.
    pub fn len(&self) -> u32 {
        self.text.len() as u32
    }

    /// Returns `true` when the text is empty.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Returns an index of all lines.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Returns an index of the lines up to the one with the byte at `offset`, and of the start of the next one. Later
    /// lines may be missing: a file with few reports is not scanned to its end.
    pub fn lines_up_to(&self, offset: u32) -> &LineIndex {
        let beginnings = self.first_lines.iter().zip(FIRST).filter(|&(_, least)| (offset as usize) < least);
        let mut indexes = beginnings.filter_map(|(index, least)| {
            index.get_or_init(|| first_lines(&self.text, least).map(LineIndex::new)).as_ref()
        });
        indexes.next().unwrap_or_else(|| self.lines())
    }

    /// Returns the byte offsets of [`SourceText::MARK`].
    pub fn marks(&self) -> &[usize] {
        self.marks.get_or_init(|| memchr::memmem::find_iter(self.text.as_bytes(), Self::MARK).collect())
    }
}

/// Returns the whole lines of a text up to the one with the byte at `least`; `None` when they are all of it, or more
/// than twice as long.
fn first_lines(text: &str, least: usize) -> Option<&str> {
    let rest = text.as_bytes().get(least..2 * least)?;
    let end = least + memchr::memchr(b'\n', rest)? + 1;
    Some(&text[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_found_in_the_index_of_the_first_ones() {
        for line_break in ["\n", "\r\n", "\r"] {
            let lines = |count: usize, len: usize| format!("{}é{line_break}", "x".repeat(len)).repeat(count);
            for text in [lines(100_000, 4), lines(20, FIRST[0] - 2), lines(3, 3 * FIRST[1]), lines(1, FIRST[0] - 3)] {
                let source = SourceText::new(text.as_str());
                let whole = LineIndex::new(&text);
                let near = [0, FIRST[0], FIRST[1], text.len()].map(|at| at.saturating_sub(20)..at + 20);
                for offset in near.into_iter().flatten().filter(|&at| at <= text.len()) {
                    let (offset, lines) = (offset as u32, source.lines_up_to(offset as u32));
                    assert_eq!(lines.line_column(&text, offset), whole.line_column(&text, offset), "{offset}");
                    let next = whole.line(offset) + 1;
                    if next < whole.line_count() {
                        assert_eq!(lines.line_start(next), whole.line_start(next), "{offset}");
                    } else {
                        assert_eq!(lines.line_count(), next, "{offset}");
                    }
                }
            }
        }
    }
}
