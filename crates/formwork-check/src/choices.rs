//! Options of a check, as plain data without the argument parser.

use std::path::PathBuf;

use formwork::Selection;
use formwork_console::ReportChoices;
use formwork_map_back::report::Tool;
use formwork_run::InputChoices;

/// The options of a check.
#[derive(Clone, Debug)]
pub struct CheckChoices {
    /// Templates, directories and patterns, or `-` for standard input.
    pub template: Vec<PathBuf>,
    /// Set to skip files that are not templates.
    pub only_templates: bool,
    /// Patterns of the files and directories to skip.
    pub exclude: Vec<String>,
    /// Set to record the files that are read, for `watch`.
    pub is_watched: bool,
    /// Set to apply safe fixes.
    pub fix: bool,
    /// Set to print fixes as a diff instead of writing them.
    pub diff: bool,
    /// Set to apply fixes that may change what the author means, too.
    pub unsafe_fixes: bool,
    /// The tools that check the expansion.
    pub with: Vec<Tool>,
    /// Set to run these tools in the working directory, where they find the configuration of the repository.
    pub with_config: bool,
    /// Rule files for cfn-guard.
    pub guard_rules: Vec<PathBuf>,
    /// The selection of codes to report.
    pub selection: Selection,
    /// Set to report suppressed diagnostics, too.
    pub no_suppress: bool,
    /// Set to exit with status 0 whatever is found.
    pub exit_zero: bool,
    /// Directories with schemas.
    pub schemas: Vec<PathBuf>,
    /// Set to skip the checks of properties.
    pub no_schemas: bool,
    /// The inputs with which templates are compiled.
    pub inputs: InputChoices,
    /// The form of the report.
    pub report: ReportChoices,
}

impl CheckChoices {
    /// Applies the selection of diagnostics to the options of the compiler.
    pub(crate) fn apply_to(&self, options: &mut formwork::Options) {
        options.selection = self.selection.clone();
        options.heeds_suppressions = !self.no_suppress;
    }
}
