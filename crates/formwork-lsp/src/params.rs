//! Parameters of requests, as far as they are read.

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

/// A place in a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub(crate) struct Location {
    pub(crate) uri: String,
    pub(crate) range: Range,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct TextDocument {
    pub(crate) uri: String,
}

/// A place in a document: most requests have no more.
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
/// When they do not have the form that the request asks for.
pub(crate) fn read<P: serde::de::DeserializeOwned>(params: Value) -> Result<P, Failure> {
    serde_json::from_value(params).map_err(Failure::params)
}

/// The document that a request is about, if it is about one.
pub(crate) fn document_of(params: &Value) -> Option<&str> {
    let of = |key: &str| params.get(key).and_then(|value| value.get("uri"));
    // What is resolved has it in its data.
    of("textDocument").or_else(|| params.get("uri")).or_else(|| of("data"))?.as_str()
}
