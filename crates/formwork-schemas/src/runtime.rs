//! Lambda runtimes.

use crate::Date;

/// A Lambda runtime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Runtime<'a> {
    /// Identifier: `nodejs20.x`.
    pub name: &'a str,
    /// Date from which it is deprecated.
    pub deprecated: Option<Date>,
    /// Date from which no function can be created with it.
    pub create_block: Option<Date>,
    /// Date from which no function can be updated with it.
    pub update_block: Option<Date>,
    /// The runtime that replaces it.
    pub successor: Option<&'a str>,
}
