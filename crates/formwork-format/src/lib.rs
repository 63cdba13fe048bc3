//! Formats the white space of a template, and nothing else (docs/reference/formatting.md).
//!
//! [`format`](format()) takes a string and returns the same string with other white space: data, comments, tags, quotes
//! and the line breaks of YAML do not change. By default a file keeps its own style, and only deviations from its
//! majority change ([`Options`]). [`edits`] returns the smallest changes between two versions of a file,
//! [`format_range`] is limited to some lines. The crate is pure: no file is read or written.
//!
//! YAML is not written from the tree, which has no place for a dash, a comment or a space: the tree only has the
//! scalars (`reading`), and `yaml::lex` splits the source between them into tokens. The blocks follow from the columns
//! (`blocks`), the places of all tokens from them and the style (`style`, `place`), and `print` writes the same tokens
//! at these places. JSON has a lexer and a printer of its own. Begin reading in `format.rs`.
//!
//! `proof` reads the result and compares nodes, tokens and characters, so that an error of the formatter does not
//! change a file. The laws are tested on every template of the corpora and on generated templates (`tests`;
//! `FORMWORK_CASES` sets how many).

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
