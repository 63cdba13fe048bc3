//! Results and errors of requests.

use formwork::Cancelled;
use formwork_ide::RenameError;
use serde_json::Value;

pub(crate) type Answer = Result<Value, Failure>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) code: i32,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
}

pub(crate) const INVALID_REQUEST: i32 = -32600;
pub(crate) const METHOD_NOT_FOUND: i32 = -32601;
pub(crate) const INVALID_PARAMS: i32 = -32602;
pub(crate) const INTERNAL_ERROR: i32 = -32603;
pub(crate) const NOT_INITIALIZED: i32 = -32002;
pub(crate) const REQUEST_CANCELLED: i32 = -32800;
pub(crate) const CONTENT_MODIFIED: i32 = -32801;
pub(crate) const SERVER_CANCELLED: i32 = -32802;
pub(crate) const REQUEST_FAILED: i32 = -32803;

/// Serializes a result that may be large.
///
/// # Errors
/// When it cannot be serialized, which does not happen for the results of this crate.
pub(crate) fn written(result: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string(result).map_err(|error| Failure::new(INTERNAL_ERROR, error.to_string()))
}

impl Failure {
    pub(crate) fn new(code: i32, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), data: None }
    }

    pub(crate) fn params(why: impl std::fmt::Display) -> Failure {
        Failure::new(INVALID_PARAMS, format!("wrong params: {why}"))
    }

    pub(crate) fn modified() -> Failure {
        Failure::new(CONTENT_MODIFIED, "the document changed")
    }
}

impl From<RenameError> for Failure {
    fn from(why: RenameError) -> Failure {
        Failure::new(REQUEST_FAILED, why.to_string())
    }
}

impl From<Cancelled> for Failure {
    fn from(_: Cancelled) -> Failure {
        Failure::modified()
    }
}
