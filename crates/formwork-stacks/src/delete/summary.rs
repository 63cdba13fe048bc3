//! Prints the result of a deletion on standard output.

use formwork_deploy::{DeployResult, Outcome, StackResource};
use formwork_project::Failure;
use formwork_report::{Form, printable};
use serde_json::Value;

use super::plan;
use crate::reporter::DeployReporter;
use crate::summary::with_outcome;

/// Prints a closing sentence when the stack is deleted, or everything as one JSON object.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(
    outcome: &Outcome,
    resources: &[StackResource],
    is_json: bool,
    reporter: &DeployReporter<'_>,
) -> Result<(), Failure> {
    if is_json {
        return reporter.print_output(&format!("{:#}\n", object(outcome, resources, reporter)), Form::Json);
    }
    if outcome.result != DeployResult::Deleted {
        return Ok(());
    }
    reporter.print_output(&format!("Successfully deleted stack - {}\n", printable(&outcome.stack_name)), Form::Plain)
}

fn object(outcome: &Outcome, resources: &[StackResource], reporter: &DeployReporter<'_>) -> Value {
    let resources = resources.iter().map(plan::object).collect::<Vec<Value>>();
    with_outcome(outcome, reporter, [("Resources", resources.into())])
}
