//! Scalars as they are written.

use std::borrow::Cow;

use crate::tree::Style;

pub(super) struct Scalar<'t> {
    pub(super) value: Cow<'t, str>,
    pub(super) style: Style,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) has_lines: bool,
}
