//! Calls of functions and their answers.

use bytes::Bytes;
use serde_json::Value;

/// Maximum size in bytes of an event.
pub const MOST_EVENT_BYTES: usize = 6 << 20;

pub(crate) const MOST_ASYNC_BYTES: usize = 1 << 20;

pub(crate) const MOST_RESPONSE_BYTES: usize = 6 * 1024 * 1024 + 100;

/// Additions of a caller to an event, as Lambda's headers carry them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ClientData {
    /// Client context as JSON.
    pub context: Option<String>,
    /// Cognito identity as JSON.
    pub identity: Option<String>,
}

/// A call of a function.
#[derive(Clone, Debug)]
pub struct Invocation {
    /// The request ID, a UUID.
    pub id: String,
    /// The event as JSON.
    pub event: Bytes,
    /// Additions of the caller.
    pub client: ClientData,
}

impl Invocation {
    /// Creates a call with an event and a new request ID.
    pub fn new(event: impl Into<Bytes>) -> Invocation {
        Invocation { id: request_id(), event: event.into(), client: ClientData::default() }
    }
}

/// The reason why an invocation failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The function reported an error.
    Function,
    /// The function could not be loaded.
    Init,
    /// The time limit was exceeded.
    Timeout,
    /// The process ended.
    Ended,
    /// The response is too large.
    TooLarge,
}

/// The outcome of an invocation.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The request ID.
    pub id: String,
    /// The result, or the error as JSON.
    pub payload: Bytes,
    /// The failure, if any.
    pub failure: Option<Failure>,
    /// The last 4 KB of the log, when requested.
    pub tail: Vec<u8>,
}

impl Answer {
    pub(crate) fn failed(id: &str, failure: Failure, error: &Value) -> Answer {
        let payload = Bytes::from(error.to_string());
        Answer { id: id.to_owned(), payload, failure: Some(failure), tail: Vec::new() }
    }
}

pub(crate) fn request_id() -> String {
    let bits = fastrand::u128(..) & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62);
    let digits = format!("{bits:032x}");
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// Returns a trace header of a request that is not sampled.
pub(crate) fn trace_id(seconds: i64) -> String {
    let (root, parent) = (fastrand::u128(..) >> 32, fastrand::u64(..));
    format!("Root=1-{seconds:08x}-{root:024x};Parent={parent:016x};Sampled=0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn request_ids_are_random_uuids() {
        let id = request_id();
        let lengths: Vec<usize> = id.split('-').map(str::len).collect();
        assert_eq!(lengths, [8, 4, 4, 4, 12]);
        assert_eq!(&id[14..15], "4");
        assert!("89ab".contains(&id[19..20]));
        assert_ne!(id, request_id());
    }
}
