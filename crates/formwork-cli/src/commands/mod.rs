//! The commands, one per file.

pub(crate) mod account_snapshot;
pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config_show;
mod draw;
pub(crate) mod expand;
pub(crate) mod explain;
mod explain_code;
mod explain_import;
mod explain_property;
pub(crate) mod fmt;
pub(crate) mod graph;
mod graph_stacks;
pub(crate) mod init;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod map_back;
pub(crate) mod merge;
pub(crate) mod migrate_rain;
pub(crate) mod modules_doc;
#[cfg(feature = "aws")]
mod modules_sources;
#[cfg(feature = "aws")]
pub(crate) mod modules_update;
#[cfg(feature = "aws")]
pub(crate) mod modules_vendor;
pub(crate) mod package;
pub(crate) mod plan;
pub(crate) mod resolve;
pub(crate) mod rules;
pub(crate) mod schemas;
mod template;
use formwork_run::console::timings;
pub(crate) mod validate;
