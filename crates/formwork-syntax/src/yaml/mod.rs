//! YAML text to tree and back.

pub(crate) mod adapter;
pub mod read;
