//! The choices of a command line for logs, as plain data.

use formwork_console::ReportChoices;

use crate::around::LinesChoices;

/// Selects the lines of logs to print.
#[derive(Clone, Debug)]
pub struct LogsChoices {
    /// Name or ARN of the stack.
    pub stack: Option<String>,
    /// The resources; all functions by default.
    pub name: Vec<String>,
    /// Waits for new lines.
    pub tail: bool,
    /// Time of the first line.
    pub start_time: String,
    /// Time of the last line.
    pub end_time: Option<String>,
    /// Filter pattern of the lines.
    pub filter: Option<String>,
    /// Log groups besides those of the resources.
    pub cw_log_group: Vec<String>,
    /// Prints JSON.
    pub is_json: bool,
    /// The template in which loops are found, and the account.
    pub lines: LinesChoices,
    /// The form of the output.
    pub report: ReportChoices,
}
