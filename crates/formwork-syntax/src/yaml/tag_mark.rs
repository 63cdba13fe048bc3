//! Tags that were read.

use crate::function::Known;

#[derive(Clone, Copy)]
pub(super) struct TagMark {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) meaning: TagMeaning,
}

#[derive(Clone, Copy)]
pub(super) enum TagMeaning {
    Call(Known),
    /// `!!str` and `!`: a string in any case.
    Text,
    /// Tags without effect, such as `!!map`.
    Nothing,
    /// A tag that was reported, and that belongs to its value: a reader of another language finds its tags there.
    Unknown,
}
