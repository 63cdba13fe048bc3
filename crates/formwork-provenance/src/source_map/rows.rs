//! Rows of source maps, packed.

use formwork_syntax::write::Part;

use crate::origin::Rule;

/// A recorded row: five words, so that equal bodies are found by comparing words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Row {
    /// Number of lines below the first line of the use.
    pub(super) lines: u32,
    /// The column in the output, from 0, and the part in the lowest bit.
    column: u32,
    /// The node that determines the place.
    pub(super) place: u32,
    /// The rule, the number of calls that chose it, and whether every known value was visible.
    how: u32,
    /// The node itself if its sources differ between iterations; else 0.
    pub(super) node: u32,
}

impl Row {
    pub(super) fn new(column: u32, part: Part, place: u32, rule: Rule) -> Row {
        Row { lines: 0, column: column << 1 | u32::from(part == Part::Key), place, how: rule as u32, node: 0 }
    }

    pub(super) fn chosen(mut self, times: u32) -> Row {
        self.how |= times.min(0xff) << 8;
        self
    }

    pub(super) fn full_sight(mut self, full: bool) -> Row {
        self.how |= u32::from(full) << 16;
        self
    }

    pub(super) fn column(&self) -> u32 {
        self.column >> 1
    }

    pub(super) fn is_key(&self) -> bool {
        self.column & 1 == 1
    }

    pub(super) fn rule(&self) -> u32 {
        self.how & 0xff
    }

    pub(super) fn times_chosen(&self) -> u32 {
        self.how >> 8 & 0xff
    }

    pub(super) fn has_full_sight(&self) -> bool {
        self.how >> 16 & 1 == 1
    }

    pub(super) fn is(&self, rule: Rule) -> bool {
        self.rule() == rule as u32
    }
}
