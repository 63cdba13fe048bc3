//! Steps of paths.

#[derive(Clone, Copy)]
pub(super) enum Step<'w> {
    Key(&'w str),
    /// Index of an element of a list.
    Element(usize),
}
