//! Errors of services that answer in XML or JSON.

use std::fmt;

use aws_smithy_types::error::ErrorMetadata;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use aws_smithy_types::retry::{ErrorKind, ProvideErrorKind};

use super::document::Element;
use crate::call_error::is_throttling;

/// What a service said in the place of an answer.
#[derive(Debug)]
pub(crate) struct ApiError(ErrorMetadata);

impl ApiError {
    /// Reads an answer that is none of success. EC2 and Route 53 wrap an `Error` with `Code` and `Message`
    /// in different elements. What is not such a document has no code.
    pub(crate) fn new(body: &str) -> ApiError {
        if let Ok(serde_json::Value::Object(error)) = serde_json::from_str(body) {
            return ApiError::of_json(&error);
        }
        let document = Element::parse(body).ok();
        let error = document.as_ref().and_then(|document| document.find("Error"));
        let part = |name| error.and_then(|error| error.text_of(name)).filter(|text| !text.is_empty());
        let mut metadata = ErrorMetadata::builder();
        if let Some(code) = part("Code") {
            metadata = metadata.code(code);
        }
        ApiError(metadata.message(part("Message").unwrap_or_default()).build())
    }

    /// The code may stand behind the name of its service.
    fn of_json(error: &serde_json::Map<String, serde_json::Value>) -> ApiError {
        let text = |name: &str| error.get(name).and_then(serde_json::Value::as_str);
        let mut metadata = ErrorMetadata::builder();
        if let Some(code) = text("__type").and_then(|code| code.rsplit('#').next()) {
            metadata = metadata.code(code);
        }
        ApiError(metadata.message(text("message").or(text("Message")).unwrap_or_default()).build())
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
        is_throttling(code).then_some(ErrorKind::ThrottlingError)
    }

    fn code(&self) -> Option<&str> {
        self.0.code()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(body: &str, code: Option<&str>, message: &str) {
        let error = ApiError::new(body);
        assert_eq!((error.meta().code(), error.meta().message()), (code, Some(message)));
    }

    #[test]
    fn both_wrappings() {
        check(
            "<Response><Errors><Error><Code>RequestLimitExceeded</Code><Message>Slow</Message></Error></Errors><RequestID>1</RequestID></Response>",
            Some("RequestLimitExceeded"),
            "Slow",
        );
        check(
            "<ErrorResponse><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>No</Message></Error></ErrorResponse>",
            Some("AccessDenied"),
            "No",
        );
        check("<html>Bad gateway", None, "");
        check(r#"{"__type": "com.x#AccessDeniedException", "Message": "No"}"#, Some("AccessDeniedException"), "No");
    }
}
