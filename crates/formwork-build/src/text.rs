//! A file that a build writes.

#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) path: String,
    pub(crate) bytes: Vec<u8>,
    /// The record of authored locations; `None` for a generated template.
    pub(crate) origins: Option<Vec<u8>>,
}
