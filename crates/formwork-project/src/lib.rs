//! What a project sets: `formwork.toml` (reference/configuration.md) and `samconfig.toml`
//! (reference/command-line.md#samconfig).
//!
//! Each file is found and read in one way, for the command line and for editors: [`ProjectFile`] has default values of
//! options, sets of parameter values and the directory of the default template; [`Config`] has the section of a command
//! in `samconfig.toml`. An error has its file and line ([`FileFailure`]). [`notes`] keeps what had an effect, which
//! every report lists (reference/configuration.md#said).
//!
//! The values of a section are read by the library (`formwork::samconfig`) and are below those of the command line
//! ([`Config::apply_to`]); `args/defaults.rs` of the program turns the settings of `formwork.toml` into words of its
//! command line. A stranger may have written both files: what they may set is limited (`file/allowed.rs`).
#![allow(clippy::disallowed_methods, reason = "files, the working directory and the environment enter here")]

pub mod failure;
pub mod file;
mod loader;
pub mod notes;
pub mod samconfig;

pub use failure::{Failure, FileFailure};
pub use file::{Effect, ProjectFile, Setting, SettingValue, effect_of};
pub use loader::loader_in;
pub use samconfig::{Config, ConfigChoice, know_keys};
