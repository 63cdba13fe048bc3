//! Whether an object has a name.

/// Whether a name is there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Presence {
    Absent,
    Present,
    /// A condition decides it.
    Open,
}
