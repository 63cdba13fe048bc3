//! Diagnoses as JSON.

use formwork_deploy::{Diagnosis, Event, Finding, HookFinding, Stack};
use serde_json::{Value, json};

use crate::around::Places;
use crate::reporter::DeployReporter;
use crate::{failed_event, findings, hooks, places};

/// Returns a diagnosis as one JSON object.
pub fn of(
    diagnosis: &Diagnosis,
    stack: &Stack,
    region: &str,
    hint: Option<&str>,
    places: &mut Places,
    reporter: &DeployReporter<'_>,
) -> Value {
    let examination = &diagnosis.examination;
    let operation = diagnosis.operation.as_ref();
    let operation = operation.map(|one| json!({"id": one.id, "type": one.kind, "status": one.status}));
    let rejecting = |hook: &&HookFinding| hook.fails(examination.has_failed);
    let cause = match (examination.findings.first(), examination.hooks.iter().find(rejecting)) {
        (Some(finding), _) => Some(of_finding(finding, places, reporter)),
        (None, Some(hook)) => Some(of_hook(hook, stack, places, reporter)),
        (None, None) => diagnosis.first_failure.as_ref().map(|event| failure(event, places, reporter)),
    };
    let failures: Vec<Value> = diagnosis.failures.iter().map(|event| failure(event, places, reporter)).collect();
    json!({
        "StackName": stack.name,
        "StackId": stack.id,
        "Region": region,
        "Status": stack.status,
        "Operation": operation,
        "Cause": cause,
        "Failures": failures,
        "Validations": findings::objects(examination, reporter, places.sources()),
        "Hooks": hooks::objects(examination, reporter, places.sources()),
        "Hint": hint,
    })
}

fn failure(event: &Event, places: &mut Places, reporter: &DeployReporter<'_>) -> Value {
    let object = failed_event::object(event, reporter);
    places::with_source(object, places.of(&event.within, &event.logical_id, &event.kind).as_ref())
}

fn of_finding(finding: &Finding, places: &mut Places, reporter: &DeployReporter<'_>) -> Value {
    let object = json!({
        "path": finding.within,
        "logical_id": finding.logical_id,
        "type": finding.kind,
        "status": finding.status,
        "reason": reporter.mask(&finding.reason),
    });
    places::with_source(object, places.of(&finding.within, &finding.logical_id, &finding.kind).as_ref())
}

fn of_hook(hook: &HookFinding, stack: &Stack, places: &mut Places, reporter: &DeployReporter<'_>) -> Value {
    let id = hook.logical_id.as_ref().unwrap_or(&stack.name);
    let object = json!({
        "path": hook.within,
        "logical_id": id,
        "status": hook.result.status,
        "reason": hook.result.reason.as_deref().map(|reason| reporter.mask(reason)),
    });
    let sources = places.sources();
    let origin = sources.and_then(|sources| sources.of(&hook.within, hook.logical_id.as_deref()?));
    places::with_source(object, origin.as_ref())
}
