//! The settings of a project: `formwork.toml` (reference/configuration.md) and `samconfig.toml`
//! (reference/command-line.md#samconfig).
//!
//! Both files are found and read here, for the command line and for editors: [`ProjectFile`] has default values of
//! options, sets of parameter values and the directory of the default template; [`Config`] has the section of a command
//! in `samconfig.toml`. An error has its file and line ([`FileFailure`]). [`notes`] collects the settings that had an
//! effect, which every report lists (reference/configuration.md#said).
//!
//! The values of a section are parsed by the library (`formwork::samconfig`), and the command line takes precedence
//! over them ([`Config::apply_to`]); `args/defaults.rs` of the program turns the settings of `formwork.toml` into words
//! of its command line. A stranger may have written both files: the settings in them are limited (`file/allowed.rs`).
#![allow(clippy::disallowed_methods, reason = "files, the working directory and the environment enter here")]

pub mod failure;
pub mod file;
mod loader;
pub mod notes;
pub mod samconfig;

pub use failure::{Failure, FileFailure};
pub use file::{DeclaredStack, DeclaredTemplate, Effect, ProjectFile, Setting, SettingValue, effect_of};
pub use loader::loader_in;
pub use samconfig::{Config, ConfigChoice, know_keys};
