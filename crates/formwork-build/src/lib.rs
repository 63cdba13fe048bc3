//! Building: the functions and layers of a template are built with the tools of the user, and a template is
//! written that names what was built (reference/build.md).
//!
//! [`fn@build`] surveys a template and its nested stacks, plans each distinct source once ([`mod@plan`]), builds in
//! parallel what has changed, and puts everything in its place when all of it succeeded. How one kind of source is
//! built is a file in `builders`. Nothing is printed here: progress is reported as [`Event`]s.
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
mod faults;
mod installations;
mod job;
mod layers;
mod look;
mod method;
mod modes;
mod options;
mod origins;
mod paths;
mod place;
pub mod plan;
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

pub use architecture::Architecture;
pub use build::{BuildRequest, Outcome, build};
pub use job::Job;
pub use options::{BuildOptions, Event};
pub use origins::origins;
pub use plan::Selection;
pub use runtime::{Language, Runtime};
pub use state::{Built, built_template, is_built_from};
pub use tools::SearchPath;
