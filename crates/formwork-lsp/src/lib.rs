//! A language server for CloudFormation templates, over the Language Server Protocol.
//!
//! `formwork-ide` computes answers; this crate converts, dispatches and publishes. A request is answered on the state
//! after all messages before it. Each file of `handlers` is a feature. Start with `server`.
//!
//! `server` is one thread that owns documents and computes no answers itself; a `View` is the state after a message, on
//! which tasks in the `pool` compute answers; one more thread compiles for diagnostics, and starts again when the state
//! changed in the meantime. `World` has a session for each directory with templates, as the program does, so that paths
//! and messages are those of `check`; an open document is set in every session whose project root it is in, and in no
//! other. `configuration` reads the settings of `formwork.toml` and `samconfig.toml`.
//!
//! The server opens no network connection, starts no program, and writes no file but its log: `tests/trust.rs` searches
//! the source for that. `tests/cases` are its cases, and [`fn@replay`] replays recorded sessions.
#![allow(clippy::disallowed_methods, reason = "front end: files, threads and the clock enter here")]

mod at;
mod capabilities;
mod client;
mod configuration;
mod context;
mod data;
mod diagnostics;
mod document;
mod encoding;
mod fmt_settings;
mod handlers;
mod hosts;
mod lines;
mod links;
mod log;
mod outbox;
mod parameter_files;
mod params;
mod parent_process;
mod parts;
mod pool;
mod record;
mod replay;
mod response;
mod roots;
mod scan;
mod schemas;
mod server;
mod settings;
mod stdio;
mod transport;
mod uri;
mod value_sets;
mod view;
mod what_if;
mod world;

pub use hosts::Hosts;
pub use replay::{Replay, replay};
pub use server::{Ending, ServeError, serve};
pub use stdio::{run, use_small_pages};

/// The options of the command line.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Set when the directories of the workspace are trusted from the start.
    pub is_trusted: bool,
    /// The file for errors of the server itself.
    pub log: Option<std::path::PathBuf>,
    /// The file in which the messages of the session are recorded.
    pub record: Option<std::path::PathBuf>,
    /// The source of files.
    pub hosts: Hosts,
}
