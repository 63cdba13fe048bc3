//! What a deletion came to, on standard output.

use formwork_deploy::{DeployResult, Outcome, StackResource};
use formwork_report::printable;
use serde_json::{Value, json};

use super::plan;
use crate::args::ReportFormatArg;
use crate::commands::deploy::reporter::DeployReporter;
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
    json!({
        "StackName": outcome.stack_name,
        "StackId": outcome.stack_id,
        "Region": outcome.region,
        "Result": outcome.result.as_str(),
        "Status": outcome.status,
        "Resources": resources.iter().map(plan::object).collect::<Vec<Value>>(),
        "Failures": reporter.failures(),
        "Reason": reporter.last_error(),
    })
}
