//! What the words of a command line choose of events, as plain data.

use formwork_console::ReportChoices;

use crate::around::LinesChoices;

/// Which events are wanted.
#[derive(Clone, Debug)]
pub struct EventsChoices {
    /// The stack, by name or ARN.
    pub stack: Option<String>,
    /// Whether all events are wanted that CloudFormation keeps.
    pub all: bool,
    /// Those since this time.
    pub since: Option<String>,
    /// Those of the operation with this ID.
    pub operation: Option<String>,
    /// Those of this resource alone.
    pub resource: Option<String>,
    /// Failures alone.
    pub failed: bool,
    /// Whether the operation is followed to its end.
    pub follow: bool,
    /// The minutes after which it is not followed any more.
    pub max_wait_duration: Option<f64>,
    /// The seconds between looks at events.
    pub poll_delay: f64,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// The template whose lines are shown, and the account.
    pub lines: LinesChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}
