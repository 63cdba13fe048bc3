//! Between offsets and positions.

use formwork::{ColumnUnit, LineColumn, LineIndex};
use serde_json::{Value, json};

use crate::params::{Position, Range};

/// A text with its lines, and what columns of the client count.
#[derive(Clone, Copy)]
pub(crate) struct Lines<'t> {
    pub(crate) text: &'t str,
    pub(crate) index: &'t LineIndex,
    pub(crate) unit: ColumnUnit,
}

impl Lines<'_> {
    /// The offset of a position: behind the end of a line it is its end, inside of a character its start.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        let position = LineColumn { line: position.line, column: position.character };
        self.index.offset(self.text, position, self.unit)
    }

    pub(crate) fn offsets(&self, range: Range) -> (u32, u32) {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        (start.min(end), end.max(start))
    }

    pub(crate) fn position(&self, offset: u32) -> Value {
        let at = self.index.position(self.text, offset, self.unit);
        json!({"line": at.line, "character": at.column})
    }

    pub(crate) fn range(&self, start: u32, end: u32) -> Value {
        json!({"start": self.position(start), "end": self.position(end)})
    }
}
