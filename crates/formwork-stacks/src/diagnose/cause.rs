//! Reports the cause of a failure as diagnostics at the author's lines.

use formwork_deploy::{Diagnosis, Event, FailedOperation, Finding, Stack};
use formwork_report::{Notice, printable};

use crate::around::Places;
use crate::reporter::DeployReporter;
use crate::{examined, places};

/// Prints the cause of a failure: findings of early validation and hooks, otherwise the resource that failed first.
pub fn print(
    diagnosis: &Diagnosis,
    stack: &Stack,
    hint: Option<&str>,
    places: &mut Places,
    reporter: &mut DeployReporter<'_>,
) {
    let examination = &diagnosis.examination;
    match places.sources() {
        Some(sources) => examined::print(examination, reporter, sources),
        None => without_template(diagnosis, reporter),
    }
    let name = printable(&stack.name).into_owned();
    let has_findings = !examination.findings.is_empty() || !examination.hooks.is_empty();
    match (&diagnosis.first_failure, &diagnosis.operation) {
        (Some(event), _) if !has_findings => resource(event, stack, hint, places, reporter),
        (_, Some(operation)) => {
            let mut notice = Notice::error(format!("{} of stack {name} failed", words(operation)));
            let reason = diagnosis.reason.as_deref().or(stack.reason.as_deref()).filter(|reason| !reason.is_empty());
            if let Some(reason) = reason {
                notice = notice.because(format!("CloudFormation reports `{}`", reporter.clean(reason)));
            }
            if let Some(hint) = hint {
                notice = notice.help(hint);
            }
            reporter.print(&notice, None);
        }
        _ => {}
    }
}

fn resource(event: &Event, stack: &Stack, hint: Option<&str>, places: &mut Places, reporter: &mut DeployReporter<'_>) {
    let reason = event.reason.as_deref().filter(|reason| !reason.is_empty());
    let message = match reason {
        Some(reason) => format!("`{}`", reporter.clean(reason)),
        None => format!("{} failed without a reason", printable(&event.path())),
    };
    let mut notice = Notice::error(message);
    let origin = places.of(&event.within, &event.logical_id, &event.kind);
    if let Some(origin) = &origin {
        let words = if origin.items.is_empty() { String::new() } else { origin.items.clone() };
        notice = notice.at(origin.span, words);
    }
    notice = notice.because(format!(
        "{} ({}) is in {}, stack {} in {}",
        printable(&event.path()),
        printable(&event.kind),
        printable(&event.status),
        printable(&stack.name),
        printable(&stack.status)
    ));
    if let Some(origin) = origin.as_ref().filter(|origin| origin.made_of.is_some()) {
        notice = notice.because(format!("{} comes from {}", printable(&event.logical_id), places::words(origin)));
    }
    if let Some(hint) = hint {
        notice = notice.help(hint);
    }
    let about = origin.as_ref().and_then(|origin| places.template_of(origin));
    reporter.print(&notice, about);
}

fn without_template(diagnosis: &Diagnosis, reporter: &mut DeployReporter<'_>) {
    let examination = &diagnosis.examination;
    for finding in &examination.findings {
        let Finding { name, validation_path, reason, .. } = finding;
        let title = format!("`{}`", reporter.clean(reason));
        let notice = match () {
            () if finding.is_skipped() => Notice::note(title),
            () if finding.fails(examination.has_failed) => Notice::error(title),
            () => Notice::warning(title),
        };
        let at = reporter.clean(&format!("early validation {name} at {validation_path}"));
        reporter.print(&notice.because(at), None);
    }
    for hook in &examination.hooks {
        let id = hook.logical_id.as_deref().unwrap_or("the change set");
        let reason = hook.result.reason.as_deref().unwrap_or("no reason is reported");
        let title = format!("hook {} rejects {}: `{}`", hook.result.kind, id, reason);
        reporter.print(&Notice::error(reporter.clean(&title)), None);
    }
    for notice in examined::missing(examination, reporter) {
        reporter.print(&notice, None);
    }
}

fn words(operation: &FailedOperation) -> &'static str {
    match operation.kind.as_str() {
        "CREATE_CHANGESET" => "the newest change set",
        "CREATE_STACK" => "the create",
        "UPDATE_STACK" => "the update",
        "DELETE_STACK" => "the delete",
        "ROLLBACK" | "CONTINUE_ROLLBACK" => "the rollback",
        _ => "the last operation",
    }
}
