//! Where the reading of a broken text can be taken up again.

/// A line that begins with a key of a block mapping, and what was read in front of it.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    /// Where the line begins.
    pub(super) line: usize,
    /// Where the key begins.
    pub(super) key: usize,
    /// How many collections are open.
    pub(super) depth: usize,
    /// How much the builder had.
    pub(super) entries: usize,
    pub(super) items: usize,
    pub(super) size: usize,
    pub(super) seen: usize,
    pub(super) cursor: usize,
    pub(super) marks: (usize, usize),
    pub(super) found: usize,
}
