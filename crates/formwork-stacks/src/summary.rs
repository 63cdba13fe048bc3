//! Prints the result of a deployment on standard output.

use formwork_deploy::{DeployResult, Outcome};
use formwork_project::Failure;
use formwork_report::{Form, printable};
use formwork_run::Status;
use formwork_run::upload::Delivered;
use serde_json::{Map, Value, json};

use super::changes;
use super::drift;
use super::findings;
use super::hooks;
use super::places::Sources;
use super::reporter::DeployReporter;

/// Returns the outcome of a run that ended before a deployment began.
pub fn early(result: DeployResult, stack_name: &str, region: Option<&str>) -> Outcome {
    Outcome::new(result, stack_name, region.unwrap_or_default())
}

/// Returns the result of a run that ended with a status before anything was sent.
pub fn result_of(status: Status) -> DeployResult {
    match status {
        Status::Failed | Status::NoRegion => DeployResult::Invalid,
        Status::NotPackaged => DeployResult::NotPackaged,
        Status::TimedOut => DeployResult::TimedOut,
        Status::Interrupted => DeployResult::Interrupted,
        _ => DeployResult::Refused,
    }
}

/// Prints the outputs, one per line, and the closing sentence of a deployment that succeeded, or everything as one JSON
/// object.
///
/// # Errors
/// When standard output cannot be written.
pub fn print(
    outcome: &Outcome,
    is_json: bool,
    reporter: &DeployReporter<'_>,
    sources: Option<&mut Sources>,
) -> Result<(), Failure> {
    if is_json {
        reporter.print_output(&format!("{:#}\n", object(outcome, reporter, sources)), Form::Json)
    } else {
        reporter.print_output(&(lines(outcome, reporter) + &closing(outcome)), Form::Plain)
    }
}

/// Prints the JSON object only, for runs whose end was printed for people already.
///
/// # Errors
/// When standard output cannot be written.
pub fn print_object(
    outcome: &Outcome,
    is_json: bool,
    reporter: &DeployReporter<'_>,
    sources: Option<&mut Sources>,
) -> Result<(), Failure> {
    if is_json { print(outcome, is_json, reporter, sources) } else { Ok(()) }
}

fn lines(outcome: &Outcome, reporter: &DeployReporter<'_>) -> String {
    let width = outcome.outputs.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let line = |(name, value, _): &(String, String, Option<String>)| {
        format!("{:width$}  {}\n", printable(name), reporter.clean(value))
    };
    outcome.outputs.iter().map(line).collect()
}

/// Returns the sentence of the AWS CLI and SAM CLI, which scripts search for.
fn closing(outcome: &Outcome) -> String {
    if outcome.result != DeployResult::Deployed {
        return String::new();
    }
    format!("Successfully created/updated stack - {}\n", printable(&outcome.stack_name))
}

fn object(outcome: &Outcome, reporter: &DeployReporter<'_>, mut sources: Option<&mut Sources>) -> Value {
    let outputs: Map<String, Value> =
        outcome.outputs.iter().map(|(name, value, _)| (name.clone(), reporter.mask(value).into())).collect();
    let changes = outcome.change_set.iter().flat_map(|set| set.changes.iter().map(move |change| (set, change)));
    let changes = changes.map(|(set, change)| {
        let origin = sources.as_mut().and_then(|sources| sources.of(&change.within, &change.logical_id));
        let mut object = changes::object(change, origin.as_ref());
        drift::add_to(&mut object, (set, change), reporter, sources.as_deref_mut());
        object
    });
    let changes: Vec<Value> = changes.collect();
    let validations = findings::objects(&outcome.examination, reporter, sources.as_deref_mut());
    let hooks = hooks::objects(&outcome.examination, reporter, sources);
    let own = [
        ("ChangeSetId", json!(outcome.change_set.as_ref().map(|set| &set.id))),
        ("StackDrift", json!(outcome.change_set.as_ref().and_then(|set| set.stack_drift.as_ref()))),
        ("Changes", changes.into()),
        ("Validations", validations.into()),
        ("Hooks", hooks.into()),
        ("Outputs", outputs.into()),
        ("Uploads", uploads(reporter.uploads())),
    ];
    with_outcome(outcome, reporter, own)
}

/// Returns the result of a run for programs: the stack and its status, the command's own properties, and the failures.
pub fn with_outcome<const N: usize>(
    outcome: &Outcome,
    reporter: &DeployReporter<'_>,
    own: [(&str, Value); N],
) -> Value {
    let begin = [
        ("StackName", json!(outcome.stack_name)),
        ("StackId", json!(outcome.stack_id)),
        ("Region", json!(outcome.region)),
        ("Result", json!(outcome.result.as_str())),
        ("Status", json!(outcome.status)),
    ];
    let express = [("Express", json!(outcome.is_express)), ("Stabilizing", json!(outcome.stabilizing))];
    let end = [("Failures", json!(reporter.failures())), ("Reason", json!(reporter.last_error()))];
    let all = begin.into_iter().chain(own).chain(express).chain(end);
    all.map(|(name, value)| (name.to_owned(), value)).collect::<Map<String, Value>>().into()
}

/// Lists objects and images with their results, and the counts of uploaded and skipped ones.
fn uploads(all: &[Delivered]) -> Value {
    let uploaded = all.iter().filter(|one| one.sent.is_some()).count();
    let artifacts = all.iter().map(|one| {
        let path = one.mentions.first().map(|mention| mention.path.as_str());
        let mut resources: Vec<&str> = one.mentions.iter().map(|mention| mention.resource.as_str()).collect();
        resources.dedup();
        let state = if one.sent.is_some() { "uploaded" } else { "skipped" };
        json!({"Name": one.name, "Path": path, "Resources": resources, "State": state, "Bytes": one.sent})
    });
    let artifacts: Vec<Value> = artifacts.collect();
    json!({"Uploaded": uploaded, "Skipped": all.len() - uploaded, "Artifacts": artifacts})
}
