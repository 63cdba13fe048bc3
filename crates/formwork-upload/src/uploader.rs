//! Where objects go.

use thiserror::Error;

use crate::Payload;

/// Takes objects: a bucket in S3, or a directory. Calls come from several threads concurrently.
pub trait Uploader: Sync {
    /// Whether an object is there already. Its key identifies its content.
    ///
    /// # Errors
    /// When it cannot be found out.
    fn presence(&self, key: &str) -> Result<Presence, UploadError>;

    /// Stores an object, whole or not at all. One that has come to be there meanwhile is stored.
    ///
    /// # Errors
    /// When it cannot be stored.
    fn put(&self, key: &str, content: &mut Payload) -> Result<(), UploadError>;
}

/// Whether an object is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Presence {
    /// It is.
    There,
    /// It is not.
    Missing,
    /// We may not know, for this reason; it is uploaded.
    Hidden(String),
}

/// Why an object could not be stored: in words, with what to do.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct UploadError {
    /// What went wrong, without a full stop.
    pub message: String,
    /// What to do, when it is known.
    pub help: Option<String>,
    /// What it came of.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl UploadError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> UploadError {
        UploadError { message: message.into(), help: None, source: None }
    }

    /// The same with what it came of.
    #[must_use]
    pub fn caused_by(self, error: impl std::error::Error + Send + Sync + 'static) -> UploadError {
        UploadError { source: Some(Box::new(error)), ..self }
    }
}
