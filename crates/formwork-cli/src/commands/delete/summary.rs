//! What a deletion came to, on standard output.

use formwork_deploy::{DeployResult, Outcome, StackResource};
use formwork_report::printable;
use serde_json::Value;

use super::plan;
use crate::args::ReportFormatArg;
use crate::commands::deploy::reporter::DeployReporter;
use crate::commands::deploy::summary::with_outcome;
use crate::terminal::{self, Form};

/// Prints a closing sentence when the stack is deleted, or everything as one JSON object.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn print(
    outcome: &Outcome,
    resources: &[StackResource],
    format: Option<ReportFormatArg>,
    reporter: &DeployReporter<'_, '_>,
) -> Result<(), String> {
    if format == Some(ReportFormatArg::Json) {
        return terminal::print(&format!("{:#}\n", object(outcome, resources, reporter)), Form::Json);
    }
    if outcome.result != DeployResult::Deleted {
        return Ok(());
    }
    terminal::print(&format!("Successfully deleted stack - {}\n", printable(&outcome.stack_name)), Form::Plain)
}

fn object(outcome: &Outcome, resources: &[StackResource], reporter: &DeployReporter<'_, '_>) -> Value {
    let resources = resources.iter().map(plan::object).collect::<Vec<Value>>();
    with_outcome(outcome, reporter, [("Resources", resources.into())])
}
