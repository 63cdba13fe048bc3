//! A language server for CloudFormation templates, over the Language Server Protocol.
//!
//! `formwork-ide` answers; this crate converts, dispatches and publishes. One thread reads messages and owns the
//! documents, a pool answers requests on what they were, one thread compiles for diagnostics. A request is answered on
//! the state after all messages before it. A feature is a file of `handlers`.
//!
//! Nothing here opens a network connection, starts a program or writes a file. Begin reading in `server.rs`.
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
