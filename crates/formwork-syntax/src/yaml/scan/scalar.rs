//! Scalars as they are written.

use std::borrow::Cow;

use crate::tree::Style;

/// A plain scalar, or one in quotes.
pub(super) struct Scalar<'t> {
    pub(super) value: Cow<'t, str>,
    pub(super) style: Style,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Set for a scalar of several lines.
    pub(super) has_lines: bool,
}
