//! Builds the functions and layers of a template with the tools of the user, and writes a template that refers to the
//! artifacts (reference/build.md). The sources are those that packaging would upload.
//!
//! [`fn@build`] is the entry point. Nothing is printed here: progress is reported as [`Event`]s.
//!
//! 1. [`formwork_upload::survey`] finds the same paths as packaging; each need has its `BuildFacts` (runtime,
//!    architectures, metadata).
//! 2. [`mod@plan`] decides: `method` chooses a `Builder`, needs with one source and `Recipe` are one [`Job`], and each
//!    job has its artifact.
//! 3. A source is read as its zip would be read (`SourceTree`), so that its hash is that of the content; `cache_key`
//!    adds the recipe and the tools. `Crew` builds what has changed into `.formwork/ready` of the build directory, in
//!    parallel.
//! 4. When all succeeded, artifacts are renamed to their paths (`replace`), and the templates are written (`template`),
//!    by `rewrite` of packaging with paths in the place of objects. `State` in the build directory lists the artifacts,
//!    and `origins` records the authored location and text of each location in a built template, which [`fn@origins`]
//!    reads for a `Host`.
//!
//! A builder is a file in `builders`: it gets a `Build` and runs tools by `Runner`, which logs them, and ends their
//! process groups when the run is interrupted. `Watcher`, a shell behind a pipe, ends them when the program is killed;
//! `Claim` keeps other runs out of the build directory, and removes the temporary files of a killed one.
//!
//! With dependency layers a need has two jobs, whose recipes differ in their `Part`; `layers` writes the nested stack,
//! and `formwork-package` adds its outputs to `Layers`, with Mappings by the rules of artifact properties.
//!
//! [`Built`] compares a build directory with the sources: `formwork_run::default_template` is how commands without a
//! template find theirs.
#![allow(clippy::disallowed_methods, reason = "builds read and write disks and run programs")]

mod answers;
mod architecture;
mod build;
mod build_error;
mod builder;
mod builders;
mod cache_key;
mod claim;
mod command;
mod crew;
mod errors;
mod installations;
mod job;
mod layers;
mod look;
mod method;
mod modes;
mod options;
mod origins;
mod paths;
pub mod plan;
mod replace;
mod requirements;
mod runtime;
mod shared;
mod state;
mod template;
mod text;
mod tools;
mod warnings;
mod watcher;
mod workspace;
mod written;

pub use architecture::Architecture;
pub use build::{BuildRequest, Outcome, ReadSource, build};
pub use job::Job;
pub use options::{BuildOptions, Event};
pub use origins::origins;
pub use plan::Selection;
pub use runtime::{Language, Runtime};
pub use state::{Built, built_template, is_built_from};
pub use tools::SearchPath;
pub use written::Written;
