//! Runs the Lambda functions of a template as local processes, without Docker (reference/local.md).
//!
//! [`Project::load`] expands a template, with `Globals` in the resources that they apply to, sets a value for every
//! parameter (`localize`), and evaluates the result with the engine: it has no evaluator of its own. The result is the list of
//! functions with everything that they run with. [`commands`] implements the commands of the program.
//!
//! A [`Launcher`] prepares a function: its code and layers as directories, the program that runs it, its environment.
//! An `Instance` is one process with its own Runtime API on a port of loopback; a [`Pool`] passes events to instances,
//! starts them when none is idle, and stops them when the code changes. Whatever a process starts belongs to its
//! process group, and the group is killed when the time limit is over, when the process is not needed any more, when
//! the pool is dropped, and when the program is killed (`guard`). Pure parts (events, routes, answers, environments,
//! messages) are functions of their own with unit tests; [`api`] has the routes of a template.
//!
//! The loaders in `src/loaders` replace awslambdaric and aws-lambda-ric, with a connection of their own instead of an
//! HTTP client, which determines the time of a warm request (docs/performance.md). `Changes` runs `formwork_run::watch` on a
//! thread; its receiver compares fingerprints of code and times of templates. `MemoryWatch` reads `/proc` for the
//! groups that handle an event, in one pass for all of them, and not at all while none does.
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
mod entry_points;
mod environment;
mod error;
mod function;
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
mod runtime;
mod runtime_api;
pub mod samples;
mod scratch;
mod signals;
mod unresolved;
mod variables;
mod watching;
pub mod words;

pub use api::{Api, DeclaredApi, Kind as ApiKind, Route, apis, declared_apis};
pub use credentials::{Credentials, Profile};
pub use documents::MissingDocument;
pub use entry_points::{Server, Template, invoke_once, start_api, start_lambda};
pub use error::LocalError;
pub use function::{CodeSource, Function, Layer};
pub use invocation::{Answer, ClientData, Failure, Invocation, MOST_EVENT_BYTES};
pub use launcher::{Debugger, LaunchSettings, Launcher};
pub use log::Log;
pub use pool::{Pool, PoolSettings};
pub use project::{ACCOUNT, Project, ProjectError};
pub use runtime::{Family, Runtime};
pub use signals::Ending;
pub use unresolved::UnresolvedVariable;
pub use variables::{VariablesError, VariablesFile};
