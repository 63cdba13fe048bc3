//! Reports failed deployments.

use formwork_deploy::{Cleanup, CleanupAction, DeployRequest, OnFailure, OperationEnd};
use formwork_report::Notice;

use super::places::{self, Sources};
use super::refusal;
use super::reporter::DeployReporter;
use super::{express, failed_event};

/// Returns the report of a failed deployment (the first failure, its line, and advice) and the template that the line
/// is in.
pub fn failed(
    end: &OperationEnd,
    name: &str,
    request: &DeployRequest,
    sources: &mut Sources,
    reporter: &mut DeployReporter<'_>,
) -> (Notice, Option<usize>) {
    let (mut origin, mut logical_id) = (None, String::new());
    let what = match &end.first_failure {
        Some(event) => {
            origin = sources.of(&event.within, &event.logical_id);
            logical_id.clone_from(&event.logical_id);
            let failure = failed_event::object(event, reporter);
            reporter.add_failure(places::with_source(failure, origin.as_ref()));
            format!("{} ({}): {}", event.path(), event.kind, event.reason.as_deref().unwrap_or("no reason is reported"))
        }
        None => end.reason.clone().unwrap_or_else(|| end.status.clone()),
    };
    let mut notice = Notice::error(format!("`Failed to create/update the stack: {name}, {what}`"));
    let unit = origin.as_ref().and_then(|origin| origin.unit);
    if let Some(origin) = origin {
        let words =
            if origin.items.is_empty() { "this failed".to_owned() } else { format!("this failed: {}", origin.items) };
        notice = notice.at(origin.span, words);
        if origin.made_of.is_some() {
            notice = notice.because(format!("{logical_id} comes from {}", places::words(&origin)));
        }
    }
    notice = notice.because(format!("the stack is in {}", end.status));
    let is_cleaned_up = request.on_failure == OnFailure::Delete && end.status != "UPDATE_ROLLBACK_FAILED";
    let advice = match express::advice(&end.status).filter(|_| request.is_express) {
        _ if is_cleaned_up => AGAIN.to_owned(),
        Some(advice) => advice.to_owned(),
        None => advice(&end.status, name),
    };
    (notice.help(advice), unit)
}

/// Returns the advice for a stack whose deployment ended in a status.
fn advice(status: &str, name: &str) -> String {
    match status {
        "CREATE_FAILED" => format!(
            "what was created is still there to look at; fix the template and deploy again with --replace-failed, or roll back: `aws cloudformation rollback-stack --stack-name {name}`"
        ),
        "UPDATE_FAILED" => format!(
            "fix the template and deploy again, or roll back: `aws cloudformation rollback-stack --stack-name {name}`"
        ),
        "ROLLBACK_COMPLETE" | "ROLLBACK_FAILED" => {
            "fix the template and deploy again with --replace-failed: this stack cannot be updated".to_owned()
        }
        "UPDATE_ROLLBACK_FAILED" => {
            format!("fix what failed, and run `aws cloudformation continue-update-rollback --stack-name {name}`")
        }
        "UPDATE_ROLLBACK_COMPLETE" | "IMPORT_ROLLBACK_COMPLETE" => {
            "the stack is as it was before; fix the template and deploy again".to_owned()
        }
        _ => AGAIN.to_owned(),
    }
}

const AGAIN: &str = "fix the template and deploy again";

/// Returns the report of the cleanup after a failed deployment.
pub fn cleaned_up(cleanup: &Cleanup, name: &str) -> Notice {
    let what = match cleanup.action {
        CleanupAction::RollBack => "rolled back",
        CleanupAction::Delete => "deleted",
    };
    match &cleanup.end {
        Ok(end) if end.is_success => Notice::note(format!("stack {name} was {what}")),
        Ok(end) => Notice::error(format!("stack {name} could not be {what}: it is in {}", end.status)),
        Err(error) => refusal::of(error, name),
    }
}
