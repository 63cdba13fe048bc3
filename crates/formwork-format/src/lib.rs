//! Formats the white space of a template, and nothing else (docs/reference/formatting.md).
//!
//! [`format`](format()) takes a text and returns the same text with other white space: data, comments, tags, quotes and
//! the line breaks of YAML stay. By default a file keeps its own style, and only what differs from the majority in it
//! changes ([`Options`]). [`edits`] returns the smallest changes between two versions of a file, [`format_range`] keeps
//! to some lines. The crate is pure: text in, text or edits out.
//!
//! YAML is not written from the tree, which has no place for a dash, a comment or a space, but from the tokens and blocks
//! of [`formwork_syntax::lossless`]. The places of all tokens follow from the blocks and the style (`position`, `style`,
//! `place`), and `print` puts the same tokens there. JSON has a lexer and a printer of its own. Begin reading in `format.rs`.
//!
//! `proof` reads the result and compares nodes, tokens and characters, so that an error of the formatter leaves a file
//! alone. The laws are tested on every template of the corpora and on generated templates (`tests`; `FORMWORK_CASES`
//! sets how many).

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
