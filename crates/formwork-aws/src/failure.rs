//! Why a call failed: one view of the SDK's errors and of our own.

use std::error::Error;

use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;

/// Why a call failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// What sort of failure it is.
    pub reason: Reason,
    /// The service's code for it.
    pub code: Option<String>,
    /// What the service said, or what went wrong on the way.
    pub detail: Option<String>,
}

/// Sorts of failure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// The credentials are not accepted.
    Credentials,
    /// A permission is missing.
    Denied,
    /// The service wants to be asked less often.
    Throttled,
    /// No answer came in time.
    TimedOut,
    /// The endpoint cannot be reached.
    Unreachable,
    /// The answer cannot be read.
    Malformed,
    /// The service refused, for a reason of its own.
    Refused,
}

/// Codes of services that say that a permission is missing.
const DENIED: [&str; 6] = [
    "AccessDenied",
    "AccessDeniedException",
    "UnauthorizedOperation",
    "Unauthorized",
    "AuthorizationError",
    "NotAuthorized",
];

/// Codes of services that do not accept the credentials.
const CREDENTIALS: [&str; 15] = [
    "ExpiredToken",
    "ExpiredTokenException",
    "RequestExpired",
    "AuthFailure",
    "InvalidClientTokenId",
    "UnrecognizedClientException",
    "UnrecognizedClient",
    "InvalidSignatureException",
    "SignatureDoesNotMatch",
    "IncompleteSignature",
    "MissingAuthenticationToken",
    "MissingAuthenticationTokenException",
    "InvalidAccessKeyId",
    "InvalidToken",
    "TokenRefreshRequired",
];

/// Codes of services that want to be asked less often.
const THROTTLED: [&str; 9] = [
    "Throttling",
    "ThrottlingException",
    "ThrottledException",
    "RequestThrottled",
    "RequestThrottledException",
    "TooManyRequestsException",
    "RequestLimitExceeded",
    "EC2ThrottledException",
    "SlowDown",
];

/// Whether `code` asks for fewer calls.
pub(crate) fn is_throttling(code: &str) -> bool {
    THROTTLED.contains(&code)
}

impl Failure {
    /// The service's sentence without its code.
    pub fn sentence(&self) -> Option<&str> {
        let detail = self.detail.as_deref()?;
        let code = self.code.as_deref().and_then(|code| detail.strip_prefix(code));
        Some(code.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(detail))
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> Failure {
        Failure { reason: Reason::Malformed, code: None, detail: Some(detail.into()) }
    }

    /// The same without the service's sentence, which may repeat a value that was asked about.
    pub(crate) fn without_detail(self) -> Failure {
        Failure { detail: None, ..self }
    }
}

impl<E, R> From<SdkError<E, R>> for Failure
where
    E: ProvideErrorMetadata + Error + 'static,
    R: std::fmt::Debug + 'static,
{
    fn from(error: SdkError<E, R>) -> Failure {
        let (reason, detail) = match &error {
            SdkError::ServiceError(context) => return of_service(context.err()),
            SdkError::TimeoutError(_) => (Reason::TimedOut, None),
            SdkError::DispatchFailure(failure) if failure.is_timeout() => (Reason::TimedOut, None),
            SdkError::DispatchFailure(failure) => {
                (Reason::Unreachable, failure.as_connector_error().and_then(|error| deepest(error)))
            }
            SdkError::ResponseError(_) => (Reason::Malformed, deepest(&error)),
            _ => (Reason::Refused, deepest(&error)),
        };
        Failure { reason, code: None, detail }
    }
}

fn of_service(error: &impl ProvideErrorMetadata) -> Failure {
    let code = error.code().unwrap_or_default();
    let reason = if DENIED.contains(&code) {
        Reason::Denied
    } else if CREDENTIALS.contains(&code) {
        Reason::Credentials
    } else if is_throttling(code) {
        Reason::Throttled
    } else {
        Reason::Refused
    };
    let message = error.message().map(sentence).filter(|message| !message.is_empty());
    let detail = match (reason, message) {
        (Reason::Refused, message) if !code.is_empty() => {
            Some(message.map_or_else(|| code.to_owned(), |message| format!("{code}: {message}")))
        }
        (_, message) => message,
    };
    Failure { reason, code: (!code.is_empty()).then(|| code.to_owned()), detail }
}

/// A service's message without the opaque part that some end in, on one line.
fn sentence(message: &str) -> String {
    let readable = message.split("Encoded authorization failure message").next().unwrap_or_default();
    readable.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the innermost cause says.
pub(crate) fn deepest(error: &(dyn Error + 'static)) -> Option<String> {
    let mut cause = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    let text = sentence(&cause.to_string());
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use aws_smithy_types::error::ErrorMetadata;

    use super::*;

    fn check(code: &str, message: &str, reason: Reason, detail: &str) {
        let failure = of_service(&ErrorMetadata::builder().code(code).message(message).build());
        assert_eq!((failure.reason, failure.detail.as_deref()), (reason, Some(detail)), "{code}");
    }

    #[test]
    fn codes() {
        check(
            "UnauthorizedOperation",
            "You may not. Encoded authorization failure message: 0aF3",
            Reason::Denied,
            "You may not.",
        );
        check("ExpiredToken", "The token has\n expired", Reason::Credentials, "The token has expired");
        check("RequestLimitExceeded", "Slow down", Reason::Throttled, "Slow down");
        check("InternalError", "Oh", Reason::Refused, "InternalError: Oh");
    }
}
