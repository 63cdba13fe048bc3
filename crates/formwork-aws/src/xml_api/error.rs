//! Error responses of services with XML responses.

use super::document::Element;
use crate::api_error::ApiError;

/// Reads an error response. EC2 and Route 53 wrap an `Error` with `Code` and `Message` in different elements, S3 in
/// none. Another kind of document has no code.
pub(crate) fn read_error(body: &str) -> ApiError {
    let document = Element::parse(body).ok();
    let error = document.as_ref().and_then(|document| document.find("Error"));
    let part = |name| error.and_then(|error| error.text_of(name)).filter(|text| !text.is_empty());
    ApiError::new(part("Code"), part("Message").unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use aws_smithy_types::error::metadata::ProvideErrorMetadata;

    use super::*;

    fn check(body: &str, code: Option<&str>, message: &str) {
        let error = read_error(body);
        assert_eq!((error.meta().code(), error.meta().message()), (code, Some(message)));
    }

    #[test]
    fn errors_with_and_without_wrapping() {
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
        check("<Error><Code>NoSuchKey</Code><Message>None</Message></Error>", Some("NoSuchKey"), "None");
        check("<html>Bad gateway", None, "");
    }
}
