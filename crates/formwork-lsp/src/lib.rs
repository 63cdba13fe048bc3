//! A language server for CloudFormation templates, over the Language Server Protocol.
//!
//! `formwork-ide` answers; this crate converts, dispatches and publishes. A request is answered on the state after all
//! messages before it. A feature is a file of `handlers`. Begin reading in `server`.
//!
//! `server` is one thread that owns documents and answers nothing itself; a `View` is the state after a message, which
//! tasks in the `pool` answer on; one more thread compiles for diagnostics, and starts again when the state is another
//! one at its end. `World` has a session for each directory with templates, as the program does, so that paths and
//! messages are those of `check`; a document that is open is set in every session whose project root it is in, and in
//! no other. `configuration` reads what `formwork.toml` and `samconfig.toml` set.
//!
//! Nothing here opens a network connection, starts a program or writes a file but its log: `tests/trust.rs` looks for
//! that in the source. `tests/cases` are its cases, and [`fn@replay`] plays recorded sessions again.
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

/// What the command line sets.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether the directories of the workspace are trusted from the start.
    pub is_trusted: bool,
    /// Where the server logs its own errors.
    pub log: Option<std::path::PathBuf>,
    /// Where the messages of the session are recorded.
    pub record: Option<std::path::PathBuf>,
    /// What reads files.
    pub hosts: Hosts,
}
