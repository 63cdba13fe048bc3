//! Formats the white space of a template, and nothing else.
//!
//! [`format`](format()) takes a text and returns the same text with other white space: data, comments, tags, quotes and the line
//! breaks of YAML stay. By default a file keeps its own style, and only what differs from the majority in it changes
//! ([`Options`]). The result is read again and compared with the text before it is returned (`proof`).
//! [`edits`] returns the smallest changes between two versions of a file, [`format_range`] keeps to some lines.
//!
//! The rules are in docs/reference/formatting.md. Scalars are found by the spans of `formwork-syntax`; what is between
//! them are signs, comments and white space, which `yaml::lex` and `json::lex` take apart.

mod edits;
mod format;
mod json;
mod lines;
mod majority;
mod new_line;
mod options;
mod proof;
mod reading;
mod yaml;

pub use edits::{Edit, edits};
pub use format::{Formatted, format, format_bytes, format_range};
pub use new_line::new_line;
pub use options::{Auto, CommentSpaces, LineEnding, Options, Step};
pub use reading::Refused;
