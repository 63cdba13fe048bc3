//! Lambda runtimes.

use crate::Date;

/// A Lambda runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runtime<'a> {
    /// `nodejs20.x`.
    pub name: &'a str,
    /// From when on it is deprecated.
    pub deprecated: Option<Date>,
    /// From when on no function can be created with it.
    pub create_block: Option<Date>,
    /// From when on no function can be updated with it.
    pub update_block: Option<Date>,
    /// The runtime that follows.
    pub successor: Option<&'a str>,
}
