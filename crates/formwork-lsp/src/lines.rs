//! Conversion between offsets and positions.

use crate::params::{Position, Range};
use formwork::{ColumnUnit, LineColumn, LineIndex};

#[derive(Clone, Copy)]
pub(crate) struct Lines<'t> {
    pub(crate) text: &'t str,
    pub(crate) index: &'t LineIndex,
    pub(crate) unit: ColumnUnit,
    /// Columns in front of the first line that the text does not have: a byte order mark.
    pub(crate) mark: u32,
}

impl Lines<'_> {
    /// The offset of a position: after the end of a line it is that end, inside of a character its start.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        let mark = if position.line == 0 { self.mark } else { 0 };
        let position = LineColumn { line: position.line, column: position.character.saturating_sub(mark) };
        self.index.offset(self.text, position, self.unit)
    }

    pub(crate) fn offsets(&self, range: Range) -> (u32, u32) {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        (start.min(end), end.max(start))
    }

    /// The position of an offset: inside of a two-character line break it is in front of it, since clients have no
    /// place there.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let around = (offset as usize).checked_sub(1).and_then(|before| self.text.as_bytes().get(before..before + 2));
        let offset = if around == Some(b"\r\n".as_slice()) { offset - 1 } else { offset };
        let at = self.index.position(self.text, offset, self.unit);
        let mark = if at.line == 0 { self.mark } else { 0 };
        Position { line: at.line, character: at.column + mark }
    }

    pub(crate) fn range(&self, start: u32, end: u32) -> Range {
        Range { start: self.position(start), end: self.position(end) }
    }
}
