//! What the words of a command line choose for a check, as plain data.

use std::path::PathBuf;

use formwork::Selection;
use formwork_console::ReportChoices;
use formwork_map_back::report::Tool;
use formwork_run::InputChoices;

/// What is wanted of a check.
#[derive(Clone, Debug)]
pub struct CheckChoices {
    /// Templates, directories and patterns, or `-` for standard input.
    pub template: Vec<PathBuf>,
    /// Whether files that are not templates are passed over.
    pub only_templates: bool,
    /// Patterns of what is passed over.
    pub exclude: Vec<String>,
    /// Whether it is remembered what was read.
    pub is_watched: bool,
    /// Whether safe fixes are applied.
    pub fix: bool,
    /// Whether fixes are printed instead of written.
    pub diff: bool,
    /// Whether fixes are applied that the author may not mean.
    pub unsafe_fixes: bool,
    /// The tools that look at the expansion.
    pub with: Vec<Tool>,
    /// Whether these tools run in the working directory, where they find the configuration of the repository.
    pub with_config: bool,
    /// Rules for cfn-guard.
    pub guard_rules: Vec<PathBuf>,
    /// The codes that are reported.
    pub selection: Selection,
    /// Whether what templates suppress is reported, too.
    pub no_suppress: bool,
    /// Whether what is found does not change the status.
    pub exit_zero: bool,
    /// Directories with schemas.
    pub schemas: Vec<PathBuf>,
    /// Whether properties are not checked.
    pub no_schemas: bool,
    /// What templates are compiled with.
    pub inputs: InputChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}

impl CheckChoices {
    /// Sets what is reported.
    pub(crate) fn apply_to(&self, options: &mut formwork::Options) {
        options.selection = self.selection.clone();
        options.heeds_suppressions = !self.no_suppress;
    }
}
