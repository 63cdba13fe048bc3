//! The state of reading.

use super::{Node, Syntax};

/// A text, and what of it was read.
pub(super) struct Reader<'t> {
    pub(super) text: &'t str,
    pub(super) bytes: &'t [u8],
    /// The first byte that was not read.
    pub(super) at: usize,
    pub(super) line: usize,
    /// An offset in the line, and its column.
    pub(super) column: (usize, usize),
    /// Set when a list or mapping may begin here, though not at the beginning of a line.
    pub(super) is_fresh: bool,
    /// The entries that are open, the innermost last.
    pub(super) open: Vec<usize>,
    /// What may turn out to be a key: the number of its first token, and the number of nodes in front of it.
    pub(super) key: Option<(usize, usize)>,
    pub(super) syntax: Syntax,
    /// Set when brackets may be left that are not closed.
    pub(super) is_broken: bool,
    /// Set when a bracket has no other half.
    pub(super) has_odd_bracket: bool,
}

impl Reader<'_> {
    /// The innermost node that is open.
    pub(super) fn node(&self) -> Option<&Node> {
        let entry = self.syntax.entries.get(*self.open.last()?)?;
        self.syntax.nodes.get(entry.node)
    }

    /// Returns whether the innermost node that is open has brackets.
    pub(super) fn is_in_brackets(&self) -> bool {
        self.node().is_some_and(|node| node.bracket.is_some())
    }

    /// The column of the innermost open node without brackets.
    pub(super) fn block_column(&self) -> Option<usize> {
        Some(self.syntax.nodes[self.node()?.block?].column)
    }
}
