//! The choices of a command line for a diagnosis, as plain data.

use formwork_console::ReportChoices;

use crate::around::LinesChoices;

/// The arguments of a diagnosis.
#[derive(Clone, Debug)]
pub struct DiagnoseChoices {
    /// Name or ARN of the stack.
    pub stack: Option<String>,
    /// Prints JSON.
    pub is_json: bool,
    /// The template whose lines are shown, and the account.
    pub lines: LinesChoices,
    /// The form of the output.
    pub report: ReportChoices,
}
