//! Errors of services that answer in JSON.

use std::fmt;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_types::error::ErrorMetadata;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use aws_smithy_types::retry::{ErrorKind, ProvideErrorKind};
use serde_json::Value;

use crate::call_error::is_throttling;

/// What a service said in the place of an answer.
#[derive(Debug)]
pub(super) struct ApiError(ErrorMetadata);

impl ApiError {
    /// Reads an answer that is none of success: the code is in a header or in the body, behind a namespace or before
    /// an address. What is not such an answer has no code.
    pub(super) fn new(response: &HttpResponse) -> ApiError {
        let body: Value = serde_json::from_slice(response.body().bytes().unwrap_or_default()).unwrap_or_default();
        let part = |names: [&str; 2]| names.iter().find_map(|name| body.get(name)?.as_str()).unwrap_or_default();
        let code = response.headers().get("x-amzn-errortype").unwrap_or_else(|| part(["__type", "code"]));
        let code = code.split(':').next().unwrap_or_default().rsplit('#').next().unwrap_or_default().trim();
        let mut metadata = ErrorMetadata::builder();
        if !code.is_empty() {
            metadata = metadata.code(code);
        }
        ApiError(metadata.message(part(["message", "Message"])).build())
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
    use aws_smithy_runtime_api::http::StatusCode;
    use aws_smithy_types::body::SdkBody;

    use super::*;

    fn check(header: Option<&'static str>, body: &str, code: Option<&str>, message: &str) {
        let status = StatusCode::try_from(400).expect("a status");
        let mut response = HttpResponse::new(status, SdkBody::from(body));
        if let Some(header) = header {
            response.headers_mut().insert("x-amzn-errortype", header);
        }
        let error = ApiError::new(&response);
        assert_eq!((error.meta().code(), error.meta().message()), (code, Some(message)));
    }

    #[test]
    fn codes_in_headers_and_bodies() {
        check(
            Some("ResourceConflictException:http://internal.amazon.com/coral/com.amazonaws/"),
            r#"{"Type":"User","message":"An update is in progress"}"#,
            Some("ResourceConflictException"),
            "An update is in progress",
        );
        check(
            None,
            r#"{"__type":"com.amazonaws.swf#InvalidDefinition","Message":"No state"}"#,
            Some("InvalidDefinition"),
            "No state",
        );
        check(None, "<html>Bad gateway", None, "");
    }
}
