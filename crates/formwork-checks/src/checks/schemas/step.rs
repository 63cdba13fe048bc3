//! Steps of paths.

#[derive(Clone, Copy)]
pub(super) enum Step<'w> {
    Key(&'w str),
    Element(usize),
}
