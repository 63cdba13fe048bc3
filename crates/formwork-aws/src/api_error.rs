//! Error responses of services.

use std::fmt;

use aws_smithy_types::error::ErrorMetadata;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use aws_smithy_types::retry::{ErrorKind, ProvideErrorKind};

use crate::call_error::is_throttling;

/// Codes of transient errors, whatever the status of the answer: S3 begins some answers before it knows how they end.
const TRANSIENT: [&str; 4] = ["InternalError", "ServiceUnavailable", "RequestTimeout", "RequestTimeoutException"];

#[derive(Debug)]
pub(crate) struct ApiError(ErrorMetadata);

impl ApiError {
    /// Creates an error with its message; without a code when the response is not one that the service documents.
    pub(crate) fn new(code: Option<&str>, message: &str) -> ApiError {
        let mut metadata = ErrorMetadata::builder();
        if let Some(code) = code {
            metadata = metadata.code(code);
        }
        ApiError(metadata.message(message).build())
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for ApiError {}

impl ProvideErrorMetadata for ApiError {
    fn meta(&self) -> &ErrorMetadata {
        &self.0
    }
}

impl ProvideErrorKind for ApiError {
    fn retryable_error_kind(&self) -> Option<ErrorKind> {
        let code = self.0.code()?;
        if is_throttling(code) {
            Some(ErrorKind::ThrottlingError)
        } else {
            TRANSIENT.contains(&code).then_some(ErrorKind::TransientError)
        }
    }

    fn code(&self) -> Option<&str> {
        self.0.code()
    }
}
