//! The commands, one a file.

pub(crate) mod account_snapshot;
#[cfg(feature = "aws")]
mod around;
pub(crate) mod build;
pub(crate) mod check;
#[cfg(feature = "aws")]
pub(crate) mod check_watch;
pub(crate) mod completions;
pub(crate) mod config_show;
pub(crate) mod delete;
pub(crate) mod deploy;
#[cfg(feature = "aws")]
pub(crate) mod diagnose;
#[cfg(feature = "aws")]
pub(crate) mod events;
pub(crate) mod expand;
pub(crate) mod explain;
mod explain_code;
mod explain_property;
pub(crate) mod fmt;
pub(crate) mod graph;
pub(crate) mod init;
#[cfg(feature = "aws")]
pub(crate) mod list;
#[cfg(feature = "local")]
pub(crate) mod local;
#[cfg(feature = "aws")]
pub(crate) mod logs;
pub(crate) mod lsp;
pub(crate) mod man;
pub(crate) mod map_back;
pub(crate) mod migrate_rain;
pub(crate) mod modules_doc;
#[cfg(feature = "aws")]
mod modules_sources;
#[cfg(feature = "aws")]
pub(crate) mod modules_update;
#[cfg(feature = "aws")]
pub(crate) mod modules_vendor;
mod other_tools;
#[cfg(feature = "aws")]
pub(crate) mod outputs;
pub(crate) mod package;
pub(crate) mod plan;
#[cfg(feature = "aws")]
pub(crate) mod refactor;
pub(crate) mod resolve;
pub(crate) mod rules;
pub(crate) mod schemas;
#[cfg(feature = "aws")]
pub(crate) mod stack_snapshot;
#[cfg(feature = "aws")]
pub(crate) mod sync;
mod template;
use formwork_console::timings;
pub(crate) mod validate;
