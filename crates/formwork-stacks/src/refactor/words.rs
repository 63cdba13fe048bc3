//! The choices of a command line for a refactor, as plain data.

use std::path::PathBuf;

use formwork_console::ReportChoices;

use super::RefactorChoices;

/// The arguments of a refactor.
#[derive(Clone, Debug)]
pub struct RefactorWords {
    /// The template of a single stack; by default the built one, otherwise that of the working directory.
    pub template: Option<PathBuf>,
    /// Several stacks as `NAME=TEMPLATE`.
    pub stacks: Vec<String>,
    /// Renames and moves as `OLD=NEW`.
    pub map: Vec<String>,
    /// A file with renames and moves.
    pub mapping_file: Option<PathBuf>,
    /// Prints renames and moves without creating a refactor.
    pub dry_run: bool,
    /// The directory that templates and mappings are written to.
    pub output_dir: Option<PathBuf>,
    /// An existing refactor to execute.
    pub execute: Option<String>,
    /// Minutes after which the refactor is no longer waited for.
    pub max_wait_duration: Option<f64>,
    /// Seconds between two requests for the status.
    pub poll_delay: f64,
    /// Prints JSON.
    pub is_json: bool,
    /// The choices for the steps.
    pub steps: RefactorChoices,
    /// The form of the output.
    pub report: ReportChoices,
}
