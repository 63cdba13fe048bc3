//! What an editor asks about a template, as plain data: byte ranges, edits, Markdown. No protocol, no files.
//!
//! An [`Ide`] is one template of a session at one moment, compiled as `check` does. Each feature is a file with a
//! function of the same name. Offsets are bytes of the decoded text of a file.
//!
//! `context` finds what is around a cursor by the text alone, since a text is broken while somebody writes it;
//! everything else asks trees, the [`Project`](formwork_query::Project) and the compilation. `proof` compiles a
//! template with edits in a session that nobody else sees: renamings and code actions ask it before they are offered.
//! [`data_files`] answers in files that pass values to templates. Begin reading in `ide.rs`, then a small feature such
//! as [`highlight`].

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
