//! Failures of calls: one view of the SDK's errors and of our own.

use std::error::Error;

use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::result::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use http_body_util::LengthLimitError;

use crate::{bounded, foreign};

/// The failure of a call. The SDK's own error is not kept: it contains whole responses, and with them values that must
/// not be shown.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}", .detail.as_deref().unwrap_or(.kind.words()))]
pub struct CallError {
    /// Kind of the failure.
    pub kind: CallErrorKind,
    /// Error code of the service.
    pub code: Option<String>,
    /// The sentence of the service, or the reason of the transport.
    pub detail: Option<String>,
    /// HTTP status of the response, if there was one.
    pub status: Option<u16>,
}

/// Kinds of failures.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CallErrorKind {
    /// The credentials are not accepted.
    Credentials,
    /// A permission is missing.
    Denied,
    /// The service throttles calls.
    Throttled,
    /// No response came in time.
    TimedOut,
    /// The endpoint cannot be reached.
    Unreachable,
    /// The certificate of the endpoint, or of a proxy, is not trusted.
    Untrusted,
    /// The response cannot be read: it is not from the service.
    Malformed,
    /// The response does not end, or is larger than any of the service's.
    Endless,
    /// The service rejected the call, for a reason of its own.
    Refused,
}

impl CallErrorKind {
    /// Describes the failure in a few words, for a call without further details.
    pub fn words(self) -> &'static str {
        match self {
            CallErrorKind::Throttled => "there are too many calls",
            CallErrorKind::TimedOut => "it took too long",
            CallErrorKind::Unreachable => "the endpoint cannot be reached",
            CallErrorKind::Untrusted => "its certificate is not trusted",
            CallErrorKind::Malformed => "the answer cannot be read",
            CallErrorKind::Endless => "the answer does not end",
            CallErrorKind::Credentials | CallErrorKind::Denied | CallErrorKind::Refused => "no reason is reported",
        }
    }
}

/// Precedes the URL of a failed connection.
const NO_CONNECTION: &str = "cannot connect to ";

/// Parts of the system's reasons for a failed connection.
const UNCONNECTED: [&str; 4] = ["connection refused", "failed to lookup", "dns error", "no such host"];

const DENIED: [&str; 6] = [
    "AccessDenied",
    "AccessDeniedException",
    "UnauthorizedOperation",
    "Unauthorized",
    "AuthorizationError",
    "NotAuthorized",
];

/// The code of an account that has not signed up for a service, or of a Region that it has not enabled.
pub(crate) const OPT_IN: &str = "OptInRequired";

/// Codes of a wrong clock; others have it in their sentence.
const CLOCK: [&str; 3] = ["RequestTimeTooSkewed", "RequestInTheFuture", "RequestExpired"];

const CREDENTIALS: [&str; 18] = [
    OPT_IN,
    "RequestTimeTooSkewed",
    "RequestInTheFuture",
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

pub(crate) fn is_throttling(code: &str) -> bool {
    THROTTLED.contains(&code)
}

impl CallError {
    /// Returns `true` if the service rejects the time of the call: a signature holds for minutes.
    pub fn is_about_clock(&self) -> bool {
        let sentence = self.detail.as_deref().unwrap_or_default();
        self.code.as_deref().is_some_and(|code| CLOCK.contains(&code))
            || sentence.contains("Signature expired")
            || sentence.contains("Signature not yet current")
    }

    /// Returns the sentence of the service without its code.
    pub fn sentence(&self) -> Option<&str> {
        let detail = self.detail.as_deref()?;
        let code = self.code.as_deref().and_then(|code| detail.strip_prefix(code));
        Some(code.and_then(|rest| rest.strip_prefix(": ")).unwrap_or(detail))
    }

    /// Returns the URL and the reason of a failed connection.
    pub fn unconnected(&self) -> Option<(&str, &str)> {
        let detail = self.detail.as_deref().filter(|_| self.kind == CallErrorKind::Unreachable)?;
        detail.strip_prefix(NO_CONNECTION)?.split_once(": ")
    }

    /// Adds the URL to the failure of a connection.
    pub(crate) fn at(self, url: &str) -> CallError {
        let reason = self.detail.as_deref().filter(|_| self.kind == CallErrorKind::Unreachable).unwrap_or_default();
        let lower = reason.to_lowercase();
        if !UNCONNECTED.iter().any(|words| lower.contains(words)) {
            return self;
        }
        let url = url.trim_end_matches('/');
        let reason = reason.split(" (os error").next().unwrap_or_default().to_lowercase();
        CallError { detail: Some(format!("{NO_CONNECTION}{url}: {reason}")), ..self }
    }

    pub(crate) fn of(kind: CallErrorKind, detail: Option<String>) -> CallError {
        CallError { kind, code: None, detail, status: None }
    }

    pub(crate) fn malformed(detail: impl Into<String>) -> CallError {
        CallError::of(CallErrorKind::Malformed, Some(detail.into()))
    }

    pub(crate) fn endless(detail: impl Into<String>) -> CallError {
        CallError::of(CallErrorKind::Endless, Some(detail.into()))
    }

    /// Returns `true` if the service failed or throttles: the same call may succeed later.
    pub fn passes(&self) -> bool {
        const CODES: [&str; 4] = ["InternalFailure", "InternalError", "ServiceUnavailable", "InternalServiceError"];
        /// Emulators of AWS return this for unknown calls, also with one of these codes.
        const NOT_IMPLEMENTED: u16 = 501;
        if self.status == Some(NOT_IMPLEMENTED) {
            return false;
        }
        self.kind == CallErrorKind::Throttled
            || self.status.is_some_and(|status| status >= 500)
            || self.code.as_deref().is_some_and(|code| CODES.contains(&code))
    }

    /// Removes the sentence of the service, which may repeat a value of the request.
    pub(crate) fn without_detail(self) -> CallError {
        CallError { detail: None, ..self }
    }
}

impl<E> From<SdkError<E, HttpResponse>> for CallError
where
    E: ProvideErrorMetadata + Error + 'static,
{
    fn from(error: SdkError<E, HttpResponse>) -> CallError {
        match &error {
            SdkError::ServiceError(context) => {
                let status = context.raw().status().as_u16();
                let has_code = context.err().code().is_some_and(|code| !code.is_empty());
                match foreign::words(context.raw()) {
                    // A response without a body, such as one to HEAD, has only its status.
                    Some(words) if !has_code && (foreign::has_body(context.raw()) || status < 400) => {
                        CallError { status: Some(status), ..CallError::of(CallErrorKind::Malformed, Some(words)) }
                    }
                    _ => CallError { status: Some(status), ..of_service(context.err()) },
                }
            }
            SdkError::TimeoutError(_) => CallError::of(CallErrorKind::TimedOut, None),
            SdkError::DispatchFailure(failure) if failure.is_timeout() => CallError::of(CallErrorKind::TimedOut, None),
            SdkError::DispatchFailure(failure) => {
                let error = failure.as_connector_error();
                let is_untrusted = error.is_some_and(|error| is_certificate(error));
                let reason = if is_untrusted { CallErrorKind::Untrusted } else { CallErrorKind::Unreachable };
                CallError::of(reason, error.and_then(|error| deepest(error)))
            }
            SdkError::ResponseError(_) if is_too_long(&error) => {
                CallError::endless(format!("the answer has more than {} bytes", bounded::LIMIT))
            }
            SdkError::ResponseError(context) => {
                let status = Some(context.raw().status().as_u16());
                let detail = foreign::words(context.raw()).or_else(|| deepest(&error));
                CallError { status, ..CallError::of(CallErrorKind::Malformed, detail) }
            }
            _ => CallError::of(CallErrorKind::Refused, deepest(&error)),
        }
    }
}

/// Iterates over an error and its causes. An I/O error contains one that is not among its sources.
fn causes<'e>(error: &'e (dyn Error + 'static)) -> impl Iterator<Item = &'e (dyn Error + 'static)> {
    std::iter::successors(Some(error), |&error| {
        let inner = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        inner.map(|inner| inner as &(dyn Error + 'static)).or_else(move || error.source())
    })
}

fn is_certificate(error: &(dyn Error + 'static)) -> bool {
    let mut found = causes(error).filter_map(|cause| cause.downcast_ref::<rustls::Error>());
    found.any(|error| matches!(error, rustls::Error::InvalidCertificate(_)))
}

fn is_too_long(error: &(dyn Error + 'static)) -> bool {
    causes(error).any(<dyn Error>::is::<LengthLimitError>)
}

fn of_service(error: &impl ProvideErrorMetadata) -> CallError {
    let code = error.code().unwrap_or_default();
    let reason = if DENIED.contains(&code) {
        CallErrorKind::Denied
    } else if CREDENTIALS.contains(&code) {
        CallErrorKind::Credentials
    } else if is_throttling(code) {
        CallErrorKind::Throttled
    } else {
        CallErrorKind::Refused
    };
    let message = error.message().map(sentence).filter(|message| !message.is_empty());
    let detail = match (reason, message) {
        (CallErrorKind::Refused, message) if !code.is_empty() => {
            Some(message.map_or_else(|| code.to_owned(), |message| format!("{code}: {message}")))
        }
        (_, message) => message,
    };
    CallError { code: (!code.is_empty()).then(|| code.to_owned()), ..CallError::of(reason, detail) }
}

/// Returns a service's message on one line, without the opaque part that some end in.
fn sentence(message: &str) -> String {
    let readable = message.split("Encoded authorization failure message").next().unwrap_or_default();
    readable.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn deepest(error: &(dyn Error + 'static)) -> Option<String> {
    let text = sentence(&causes(error).last()?.to_string());
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use aws_smithy_types::error::ErrorMetadata;

    use super::*;
    use crate::aws_error::AwsError;

    fn check(code: &str, message: &str, kind: CallErrorKind, detail: &str) {
        let failure = of_service(&ErrorMetadata::builder().code(code).message(message).build());
        assert_eq!((failure.kind, failure.detail.as_deref()), (kind, Some(detail)), "{code}");
    }

    #[test]
    fn what_cannot_be_connected_to() {
        let of =
            |detail: &str| CallError::of(CallErrorKind::Unreachable, Some(detail.to_owned())).at("http://127.0.0.1:1/");
        let refused = of("Connection refused (os error 111)");
        assert_eq!(refused.unconnected(), Some(("http://127.0.0.1:1", "connection refused")));
        assert_eq!(of("connection closed before message completed").unconnected(), None);
    }

    #[test]
    fn a_wrong_clock_is_recognized() {
        let failure =
            |code: &str, message: &str| of_service(&ErrorMetadata::builder().code(code).message(message).build());
        let skewed = "The difference between the request time and the current time is too large.";
        let early = "Signature not yet current: 20261129T200000Z is still later than 20261129T181500Z";
        let late = "Signature expired: 20261129T160000Z is now earlier than 20261129T181000Z";
        for (code, message) in
            [("RequestTimeTooSkewed", skewed), ("InvalidSignatureException", early), ("SignatureDoesNotMatch", late)]
        {
            let failure = failure(code, message);
            assert!(failure.is_about_clock() && failure.kind == CallErrorKind::Credentials, "{code}");
            assert!(AwsError::rejected(&failure).message.contains("clock"), "{code}");
        }
        let other = failure("SignatureDoesNotMatch", "The request signature we calculated does not match");
        assert!(!other.is_about_clock());
        let opt_in = failure(OPT_IN, "The AWS Access Key Id needs a subscription for the service");
        assert!(AwsError::rejected(&opt_in).message.contains("no subscription"));
    }

    #[test]
    fn what_passes() {
        let failure = |reason, code: Option<&str>, status| CallError {
            code: code.map(str::to_owned),
            status,
            ..CallError::of(reason, None)
        };
        assert!(failure(CallErrorKind::Throttled, Some("Throttling"), Some(400)).passes());
        assert!(failure(CallErrorKind::Refused, Some("InternalFailure"), None).passes());
        assert!(failure(CallErrorKind::Malformed, None, Some(502)).passes());
        assert!(!failure(CallErrorKind::Refused, Some("InternalFailure"), Some(501)).passes());
        assert!(!failure(CallErrorKind::Malformed, None, Some(200)).passes());
        assert!(!failure(CallErrorKind::Refused, Some("ValidationError"), Some(400)).passes());
        assert!(!failure(CallErrorKind::Unreachable, None, None).passes());
    }

    #[test]
    fn codes() {
        check(
            "UnauthorizedOperation",
            "You may not. Encoded authorization failure message: 0aF3",
            CallErrorKind::Denied,
            "You may not.",
        );
        check("ExpiredToken", "The token has\n expired", CallErrorKind::Credentials, "The token has expired");
        check("RequestLimitExceeded", "Slow down", CallErrorKind::Throttled, "Slow down");
        check("InternalError", "Oh", CallErrorKind::Refused, "InternalError: Oh");
    }
}
