//! The template that is used when the command line names none (reference/build.md#built-template), and the lines that show
//! which one it is.

use std::path::PathBuf;

use formwork_run::default_template;

pub use formwork_run::default_template::{BUILD, refuse_outside, source_folder};

use crate::terminal::say_line;

/// Returns the template of the working directory, and prints which one it is.
///
/// # Errors
/// When the directory has no template.
pub fn find() -> Result<PathBuf, String> {
    Ok(default_template::find(say_line)?)
}

/// Returns the built template, else that of the working directory, and prints which one it is.
///
/// # Errors
/// When neither exists.
pub fn built_or_own() -> Result<PathBuf, String> {
    Ok(default_template::built_or_own(say_line)?)
}
