//! How strings are written, and where they were.

use super::{json_string, scalar};
use crate::tree::NodeId;

/// How a string is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    /// A JSON string.
    Json,
    /// YAML on one line, in flow style or not.
    Yaml { flow: bool },
}

impl Form {
    /// Whether nothing but the text itself depends on it: in YAML one without characters, or with several lines, has
    /// another layout.
    pub(super) fn is_usual(self, text: &str) -> bool {
        self == Form::Json || !text.is_empty() && memchr::memchr(b'\n', text.as_bytes()).is_none()
    }

    pub(super) fn write(self, text: &str, out: &mut String) {
        match self {
            Form::Json => json_string::string(text, out),
            Form::Yaml { flow } => scalar::text(text, flow, out),
        }
    }
}

/// A string of a generated node that was written, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hole {
    pub(super) node: NodeId,
    pub(super) form: Form,
    pub(super) start: usize,
    pub(super) end: usize,
}
