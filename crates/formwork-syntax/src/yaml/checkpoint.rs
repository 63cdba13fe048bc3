//! Places from which the reading of a broken file can be resumed.

/// A line that begins with a key of a block mapping, with the state of the builder before it.
#[derive(Clone, Copy)]
pub(super) struct Checkpoint {
    pub(super) line: usize,
    pub(super) key: usize,
    pub(super) depth: usize,
    /// The sizes of the builder.
    pub(super) entries: usize,
    pub(super) items: usize,
    pub(super) size: usize,
    pub(super) seen: usize,
    pub(super) cursor: usize,
    pub(super) marks: (usize, usize),
    pub(super) found: usize,
}
