//! YAML text to tree and back.

pub(crate) mod adapter;
mod fault;
pub mod read;
