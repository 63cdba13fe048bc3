//! A file that a build writes.

/// A template that is written.
#[derive(Debug)]
pub(crate) struct Text {
    /// Its path below the build directory.
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// The record of where its places come from; none of one that nobody authored.
    pub(crate) origins: Option<Vec<u8>>,
}
