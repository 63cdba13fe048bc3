//! Runs the Lambda functions of a template as processes of this machine, without Docker
//! (reference/local.md).
//!
//! [`Project::load`] finds the functions of an expanded template with everything that they run with. A
//! [`Launcher`] prepares one of them: its code and layers as directories, the program that runs it, its environment.
//! A [`Pool`] starts processes and hands them events through the Runtime API of Lambda, which each process
//! finds on a port of loopback. Whatever a process starts belongs to its process group, and the group is killed
//! when the time limit is over, when the process is not needed any more, and when the pool is dropped.
#![allow(clippy::disallowed_methods, reason = "the crate that runs processes: files, clock and network enter here")]

#[cfg(not(unix))]
compile_error!("functions run as processes of Unix: build formwork-cli with `--no-default-features --features aws`");

mod admission;
pub mod api;
mod artifact;
pub mod commands;
mod credentials;
mod descriptors;
mod documents;
mod environment;
mod error;
mod function;
mod globals;
mod guard;
mod http;
mod instance;
mod interpreter;
mod invocation;
mod lambda_api;
mod launcher;
mod localize;
mod log;
mod memory;
mod messages;
mod output;
mod pool;
mod project;
mod run;
mod runtime;
mod runtime_api;
pub mod samples;
mod scratch;
mod variables;
mod watching;
pub mod words;

pub use api::{Api, Kind as ApiKind, Route, apis};
pub use credentials::{Credentials, Profile};
pub use documents::MissingDocument;
pub use error::LocalError;
pub use function::{CodeSource, Function, Layer};
pub use invocation::{Answer, ClientData, Failure, Invocation, MOST_EVENT_BYTES};
pub use launcher::{Debugger, LaunchSettings, Launcher};
pub use log::Log;
pub use pool::{Pool, PoolSettings};
pub use project::{ACCOUNT, Project, ProjectError};
pub use run::{Ending, Server, Template, invoke_once, start_api, start_lambda};
pub use runtime::{Family, Runtime};
pub use variables::{VariablesError, VariablesFile};
