//! Answers to queries of an editor about a template, as plain data: byte ranges, edits, Markdown. No protocol, no
//! files.
//!
//! An [`Ide`] is one template of a session at one moment, compiled as `check` does. Each feature is a file with a
//! function of the same name. Offsets are bytes of the decoded text of a file.
//!
//! `context` finds the context of a cursor by the text alone, since a text is broken while somebody writes it;
//! everything else uses trees, the [`Project`](formwork_query::Project) and the compilation. `proof` compiles a
//! template with edits in a private session: renamings and code actions are verified by it before they are offered.
//! [`data_files`] answers in files that pass values to templates. Start with `ide.rs`, then a small feature such as
//! [`highlight`].

mod context;
mod edit;
mod ide;
mod problem;
mod proof;
mod rename_error;
mod schema;
mod sections;
mod view;
mod visit;

pub mod actions;
pub mod completion;
pub mod data_files;
pub mod definition;
pub mod diagnostics;
pub mod expansion_view;
pub mod folding;
pub mod highlight;
pub mod hints;
pub mod hover;
pub mod kind;
pub mod lenses;
pub mod links;
pub mod mapping_keys;
pub mod markdown;
pub mod nested;
pub mod references;
pub mod rename;
pub mod selection;
pub mod symbols;
pub mod tokens;
pub mod values;

pub use edit::{Edit, FileEdits, apply};
pub use ide::Ide;
pub use problem::Problem;
pub use rename_error::RenameError;
