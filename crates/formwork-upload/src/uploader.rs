//! The interface of object stores.

use thiserror::Error;

use crate::Payload;

/// An object store: an S3 bucket, or a directory. Calls come from several threads concurrently.
pub trait Uploader: Sync {
    /// Returns whether an object exists. Its key identifies its content.
    ///
    /// # Errors
    /// When the store cannot be queried.
    fn presence(&self, key: &str) -> Result<Presence, UploadError>;

    /// Stores an object, whole or not at all. An object that another run stored meanwhile counts as stored.
    ///
    /// # Errors
    /// When the object cannot be stored.
    fn put(&self, key: &str, content: &mut Payload) -> Result<(), UploadError>;
}

/// The result of looking up an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Presence {
    /// The object exists.
    There,
    /// The object does not exist.
    Missing,
    /// Access is denied, for this reason; the object is uploaded.
    Hidden(String),
}

/// An error of storing an object, with advice for the user.
#[derive(Debug, Error)]
#[error("{message}")]
pub struct UploadError {
    /// The error message, without a full stop.
    pub message: String,
    /// Advice for the user, when known.
    pub help: Option<String>,
    /// The underlying error.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

impl UploadError {
    /// Creates an error with a message.
    pub fn new(message: impl Into<String>) -> UploadError {
        UploadError { message: message.into(), help: None, source: None }
    }

    /// Sets the underlying error.
    #[must_use]
    pub fn caused_by(self, error: impl std::error::Error + Send + Sync + 'static) -> UploadError {
        UploadError { source: Some(Box::new(error)), ..self }
    }
}
