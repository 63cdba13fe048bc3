//! Patterns (reference/schemas.md#values).

use crate::block::{Block, StrId};
use crate::pattern_translation::NOT_UNDERSTOOD;

/// A pattern of a schema, as it is written there or translated by [`translate`](crate::translate).
#[derive(Clone, Copy, Debug)]
pub struct Pattern<'a> {
    pub(crate) block: &'a Block,
    pub(crate) text: StrId,
}

impl<'a> Pattern<'a> {
    /// Returns the pattern.
    pub fn text(self) -> &'a str {
        let text = self.block.str(self.text);
        text.strip_prefix(NOT_UNDERSTOOD).unwrap_or(text)
    }

    /// Returns `true` if the pattern occurs in `text`; `None` if that is not known.
    pub fn matches(self, text: &str) -> Option<bool> {
        let regex = self.block.patterns.compiled(self.text, || self.block.str(self.text));
        regex.map(|regex| regex.is_match(text))
    }
}
