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
    /// Tags that change nothing: `!!map`, and unknown ones that were reported.
    Nothing,
}
