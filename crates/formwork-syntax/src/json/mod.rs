//! JSON text to tree and back.

pub mod read;
