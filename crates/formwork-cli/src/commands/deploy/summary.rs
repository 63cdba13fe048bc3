//! What a deployment came to, on standard output.

use formwork_deploy::{DeployResult, Outcome};
use formwork_report::printable;
use serde_json::{Map, Value, json};

use super::changes;
use super::places::Sources;
use super::reporter::DeployReporter;
use crate::Status;
use crate::args::ReportFormatArg;
use crate::terminal::{self, Form};

/// What a run came to that ended before a deployment began.
pub(super) fn early(result: DeployResult, stack_name: &str, region: Option<&str>) -> Outcome {
    Outcome::new(result, stack_name, region.unwrap_or_default())
}

/// What a run came to that ended with a status before anything was sent.
pub(super) fn result_of(status: Status) -> DeployResult {
    match status {
        Status::Trouble => DeployResult::Invalid,
        Status::NotPackaged => DeployResult::NotPackaged,
        Status::TimedOut => DeployResult::TimedOut,
        Status::Interrupted => DeployResult::Interrupted,
        _ => DeployResult::Refused,
    }
}

/// Prints the outputs, a line each, and the closing sentence of a deployment that succeeded, or everything as one JSON object.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn print(
    outcome: &Outcome,
    format: Option<ReportFormatArg>,
    reporter: &DeployReporter<'_, '_>,
    sources: Option<&mut Sources>,
) -> Result<(), String> {
    if format == Some(ReportFormatArg::Json) {
        terminal::print(&format!("{:#}\n", object(outcome, reporter, sources)), Form::Json)
    } else {
        terminal::print(&(lines(outcome, reporter) + &closing(outcome)), Form::Plain)
    }
}

/// Prints it for programs alone: people were told why it stopped.
///
/// # Errors
/// When standard output cannot be written.
pub(super) fn print_object(
    outcome: &Outcome,
    format: Option<ReportFormatArg>,
    reporter: &DeployReporter<'_, '_>,
    sources: Option<&mut Sources>,
) -> Result<(), String> {
    if format == Some(ReportFormatArg::Json) { print(outcome, format, reporter, sources) } else { Ok(()) }
}

fn lines(outcome: &Outcome, reporter: &DeployReporter<'_, '_>) -> String {
    let width = outcome.outputs.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let line = |(name, value, _): &(String, String, Option<String>)| {
        format!("{:width$}  {}\n", printable(name), reporter.clean(value))
    };
    outcome.outputs.iter().map(line).collect()
}

/// The sentence of the AWS CLI and SAM CLI, which scripts look for.
fn closing(outcome: &Outcome) -> String {
    if outcome.result != DeployResult::Deployed {
        return String::new();
    }
    format!("Successfully created/updated stack - {}\n", printable(&outcome.stack_name))
}

fn object(outcome: &Outcome, reporter: &DeployReporter<'_, '_>, mut sources: Option<&mut Sources>) -> Value {
    let outputs: Map<String, Value> =
        outcome.outputs.iter().map(|(name, value, _)| (name.clone(), reporter.mask(value).into())).collect();
    let changes = outcome.change_set.iter().flat_map(|set| &set.changes);
    let changes = changes.map(|change| {
        let origin = sources.as_mut().and_then(|sources| sources.of(&change.within, &change.logical_id));
        changes::object(change, origin.as_ref())
    });
    let changes: Vec<Value> = changes.collect();
    json!({
        "StackName": outcome.stack_name,
        "StackId": outcome.stack_id,
        "Region": outcome.region,
        "Result": outcome.result.as_str(),
        "Status": outcome.status,
        "ChangeSetId": outcome.change_set.as_ref().map(|set| &set.id),
        "Changes": changes,
        "Failures": reporter.failures(),
        "Reason": reporter.last_error(),
        "Outputs": outputs,
    })
}
