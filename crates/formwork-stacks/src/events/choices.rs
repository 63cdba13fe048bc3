//! The choices of a command line for events, as plain data.

use formwork_console::ReportChoices;

use crate::around::LinesChoices;

/// Selects the events to print.
#[derive(Clone, Debug)]
pub struct EventsChoices {
    /// Name or ARN of the stack.
    pub stack: Option<String>,
    /// Prints all events that CloudFormation keeps.
    pub all: bool,
    /// Prints the events since this time.
    pub since: Option<String>,
    /// Prints the events of the operation with this ID.
    pub operation: Option<String>,
    /// Prints only the events of this resource.
    pub resource: Option<String>,
    /// Prints only failures.
    pub failed: bool,
    /// Follows the operation to its end.
    pub follow: bool,
    /// Minutes after which the operation is no longer followed.
    pub max_wait_duration: Option<f64>,
    /// Seconds between two requests for events.
    pub poll_delay: f64,
    /// Prints JSON.
    pub is_json: bool,
    /// The template whose lines are shown, and the account.
    pub lines: LinesChoices,
    /// The form of the output.
    pub report: ReportChoices,
}
