//! JSON text to tree and back.

mod plain;
pub mod read;

pub(crate) use plain::plain_len;
