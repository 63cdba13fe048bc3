//! Steps of paths.

/// A step of a path below `Properties`.
#[derive(Clone, Copy)]
pub(super) enum Step<'w> {
    /// A key.
    Key(&'w str),
    /// The number of an element of a list.
    Element(usize),
}
