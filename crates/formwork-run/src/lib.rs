//! A run over templates (reference/command-line.md#templates): which files are templates ([`templates`]), what each is
//! compiled with ([`inputs`]), how it is built ([`build`]), where its files come from ([`host`]), what AWS is asked for it ([`live`]), and where its
//! results ([`output`]) and artifacts ([`upload`]) go.
//!
//! What the words of a command line choose is in [`InputChoices`] and [`UploadChoices`], plain data. Nothing is printed: a
//! sentence that people are to read immediately goes to the function [`Say`] of these choices.
#![allow(clippy::disallowed_methods, reason = "files, standard input, the environment and threads enter here")]

#[cfg(feature = "aws")]
pub mod aws;
pub mod build;
pub mod choices;
pub mod default_template;
pub mod excluded;
mod folder;
pub mod git;
pub mod host;
pub mod inputs;
pub mod joined_values;
pub mod live;
pub mod many;
pub mod nested;
mod no_network;
pub mod output;
pub mod output_directory;
pub mod recorded_stack;
pub mod relocation;
#[cfg(feature = "aws")]
mod remote_sources;
pub mod repository;
mod say;
pub mod schemas;
pub mod service_names;
mod status;
pub mod surroundings;
pub mod templates;
pub mod upload;
pub mod walk;

pub use choices::{AwsChoices, InputChoices, LiveChoices, UploadChoices};
pub use say::{AskCode, Say};
pub use status::Status;
