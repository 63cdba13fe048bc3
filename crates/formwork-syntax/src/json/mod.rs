//! The JSON reader and its diagnostics.

pub(crate) mod lines;
mod plain;
pub mod read;
mod slips;
mod why_not;

pub(crate) use plain::plain_len;
pub(crate) use slips::NO_VALUE;
pub use why_not::why_not;
