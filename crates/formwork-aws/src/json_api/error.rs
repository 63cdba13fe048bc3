//! Error responses of services with JSON protocols.

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use serde_json::Value;

use crate::api_error::ApiError;

/// Reads an error response: the code is in a header or in the body, after a namespace or before an address. Another
/// kind of response has no code.
pub(super) fn read(response: &HttpResponse) -> ApiError {
    let body: Value = serde_json::from_slice(response.body().bytes().unwrap_or_default()).unwrap_or_default();
    let part = |names: [&str; 2]| names.iter().find_map(|name| body.get(name)?.as_str()).unwrap_or_default();
    let code = response.headers().get("x-amzn-errortype").unwrap_or_else(|| part(["__type", "code"]));
    let code = code.split(':').next().unwrap_or_default().rsplit('#').next().unwrap_or_default().trim();
    ApiError::new(Some(code).filter(|code| !code.is_empty()), part(["message", "Message"]))
}

#[cfg(test)]
mod tests {
    use aws_smithy_runtime_api::http::StatusCode;
    use aws_smithy_types::body::SdkBody;
    use aws_smithy_types::error::metadata::ProvideErrorMetadata;

    use super::*;

    fn check(header: Option<&'static str>, body: &str, code: Option<&str>, message: &str) {
        let status = StatusCode::try_from(400).expect("a status");
        let mut response = HttpResponse::new(status, SdkBody::from(body));
        if let Some(header) = header {
            response.headers_mut().insert("x-amzn-errortype", header);
        }
        let error = read(&response);
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
