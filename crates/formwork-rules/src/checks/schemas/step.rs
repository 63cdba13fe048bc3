//! Steps of paths.

/// A step of a path below `Properties`.
#[derive(Clone, Copy)]
pub(super) enum Step<'w> {
    Key(&'w str),
    /// Index of an element of a list.
    Element(usize),
}
