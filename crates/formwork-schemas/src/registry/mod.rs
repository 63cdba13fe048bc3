//! Registry schemas as JSON (reference/schemas.md#own).

mod compiler;
mod document;
mod fields;
mod keywords;
mod node;
mod types;

pub use compiler::Compiler;
#[cfg(feature = "write")]
pub use keywords::unknown_keywords;

use serde_json::Value;

use crate::block::Block;

/// The reason why a string is not the schema of a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SchemaError {
    /// Invalid JSON, with the reason and its place.
    Json(String),
    /// JSON of another shape.
    Shape,
    /// A `$ref` without a target in the document.
    Reference(String),
}

impl std::fmt::Display for SchemaError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SchemaError::Json(reason) => write!(f, "it is not well-formed JSON: {reason}"),
            SchemaError::Shape => f.write_str("it is neither a registry schema nor an answer of DescribeType"),
            SchemaError::Reference(reference) => write!(f, "its `$ref` `{reference}` leads nowhere"),
        }
    }
}

impl std::error::Error for SchemaError {}

/// Reads a registry schema (`typeName`), or a response of `DescribeType` (`TypeName`, and `Schema` with the schema as a
/// string). Returns the name of the type and its facts.
pub(crate) fn read(text: &str) -> Result<(String, Block), SchemaError> {
    let document: Value =
        serde_json::from_str(text.trim_start_matches('\u{feff}')).map_err(|error| SchemaError::Json(place(&error)))?;
    let inner;
    let schema = match document.get("Schema") {
        Some(Value::String(schema)) if document.get("TypeName").is_some_and(Value::is_string) => {
            inner = serde_json::from_str(schema).map_err(|error| SchemaError::Json(place(&error)))?;
            &inner
        }
        _ => &document,
    };
    let name = schema.get("typeName").and_then(Value::as_str).ok_or(SchemaError::Shape)?.to_owned();
    let mut compiler = Compiler::default();
    compiler.add(&name, schema)?;
    Ok((name, compiler.finish()))
}

fn place(error: &serde_json::Error) -> String {
    match (error.is_eof(), error.line()) {
        (true, _) => "it ends too early".to_owned(),
        (false, line) => format!("line {line}, column {}", error.column()),
    }
}

/// Returns the names of the types that a document describes: empty if it is not a schema.
pub fn type_names(text: &str) -> Vec<String> {
    read(text).map(|(name, _)| vec![name]).unwrap_or_default()
}
