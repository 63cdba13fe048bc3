//! YAML text to tree and back.

mod adapter;
pub mod read;
