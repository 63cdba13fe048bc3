//! What the words of a command line choose for a diagnosis, as plain data.

use formwork_console::ReportChoices;

use crate::around::LinesChoices;

/// What is wanted of a diagnosis.
#[derive(Clone, Debug)]
pub struct DiagnoseChoices {
    /// The stack, by name or ARN.
    pub stack: Option<String>,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// The template whose lines are shown, and the account.
    pub lines: LinesChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}
