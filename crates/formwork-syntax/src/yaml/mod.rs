//! YAML text to tree and back.

pub(crate) mod adapter;
mod fault;
mod quoted;
pub mod read;
