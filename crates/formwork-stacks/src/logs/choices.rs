//! What the words of a command line choose of logs, as plain data.

use formwork_console::ReportChoices;

use crate::around::LinesChoices;

/// Which lines of logs are wanted.
#[derive(Clone, Debug)]
pub struct LogsChoices {
    /// The stack, by name or ARN.
    pub stack: Option<String>,
    /// The resources; all functions by default.
    pub name: Vec<String>,
    /// Whether new lines are waited for.
    pub tail: bool,
    /// The time from which on lines are wanted.
    pub start_time: String,
    /// The time up to which they are.
    pub end_time: Option<String>,
    /// The pattern that they match.
    pub filter: Option<String>,
    /// Log groups beside those of the resources.
    pub cw_log_group: Vec<String>,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// The template in which loops are found, and the account.
    pub lines: LinesChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}
