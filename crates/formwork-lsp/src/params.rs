//! Parameters of requests, as far as the server reads them.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::response::Failure;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Position {
    pub(crate) line: u32,
    pub(crate) character: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Deserialize, Serialize)]
pub(crate) struct Range {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub(crate) struct Location {
    pub(crate) uri: String,
    pub(crate) range: Range,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TextDocument {
    pub(crate) uri: String,
}

/// A place in a document: most requests have no other parameters.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct InDocument {
    pub(crate) text_document: TextDocument,
    pub(crate) position: Option<Position>,
    pub(crate) range: Option<Range>,
}

/// Reads parameters.
///
/// # Errors
/// When they do not have the form of the request.
pub(crate) fn read<P: serde::de::DeserializeOwned>(params: Value) -> Result<P, Failure> {
    serde_json::from_value(params).map_err(Failure::params)
}

pub(crate) fn document_of(params: &Value) -> Option<&str> {
    let of = |key: &str| params.get(key).and_then(|value| value.get("uri"));
    // A request to resolve something has the document in its data.
    of("textDocument").or_else(|| params.get("uri")).or_else(|| of("data"))?.as_str()
}
