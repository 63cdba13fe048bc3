//! A tag that was read.

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
    /// `!!str` and `!`: text whatever it looks like.
    Text,
    /// Tags that change nothing, such as `!!map`.
    Nothing,
    /// A tag that was reported, and that belongs to its value: a reader of another language finds its tags there.
    Unknown,
}
