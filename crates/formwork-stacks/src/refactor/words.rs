//! What the words of a command line choose for a refactor, as plain data.

use std::path::PathBuf;

use formwork_console::ReportChoices;

use super::RefactorChoices;

/// What is wanted of a refactor.
#[derive(Clone, Debug)]
pub struct RefactorWords {
    /// The template of the one stack; by default the built one, else that of the working directory.
    pub template: Option<PathBuf>,
    /// Words `NAME=TEMPLATE`, of several stacks.
    pub stacks: Vec<String>,
    /// Words `OLD=NEW`.
    pub map: Vec<String>,
    /// A file with renames and moves.
    pub mapping_file: Option<PathBuf>,
    /// Whether renames and moves are printed only.
    pub dry_run: bool,
    /// The directory that templates and mappings are written to.
    pub output_dir: Option<PathBuf>,
    /// The refactor of earlier that is executed.
    pub execute: Option<String>,
    /// The minutes after which it is not waited for any more.
    pub max_wait_duration: Option<f64>,
    /// The seconds between looks at the refactor.
    pub poll_delay: f64,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// What is chosen for its steps.
    pub steps: RefactorChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}
