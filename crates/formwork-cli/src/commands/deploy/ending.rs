//! How a deployment ended, in words, and what is done when it failed.

use formwork_deploy::{Ended, Service, Watcher};
use formwork_report::Remark;
use serde_json::json;

use super::choices::Choices;
use super::events;
use super::places::Sources;
use super::refusal;
use super::voice::Voice;
use crate::args::OnFailureArg;

/// What is to be said of a deployment that failed: the first failure, its line, and what to do; and the
/// template that the line is in.
pub(super) fn failed(
    ended: &Ended,
    choices: &Choices,
    paths: &std::collections::HashMap<String, Vec<String>>,
    sources: &mut Sources,
    voice: &Voice<'_>,
) -> (Remark, Option<usize>) {
    let name = &choices.stack_name;
    let (mut origin, mut logical_id) = (None, String::new());
    let what = match &ended.first_failure {
        Some(event) => {
            let within = paths.get(&event.stack_id).map_or(&[][..], Vec::as_slice);
            let path = within.iter().chain([&event.logical_id]).map(String::as_str).collect::<Vec<_>>().join("/");
            origin = sources.of(within, &event.logical_id);
            logical_id.clone_from(&event.logical_id);
            let failure = json!({
                "path": within,
                "logical_id": event.logical_id,
                "type": event.kind,
                "status": event.status,
                "reason": event.reason.as_deref().map(|reason| voice.mask(reason)),
            });
            voice.failed(events::with_source(failure, origin.as_ref()));
            format!("{path} ({}): {}", event.kind, event.reason.as_deref().unwrap_or("no reason is given"))
        }
        None => ended.reason.clone().unwrap_or_else(|| ended.status.clone()),
    };
    let mut remark = Remark::error(format!("`Failed to create/update the stack: {name}, {what}`"));
    let unit = origin.as_ref().and_then(|origin| origin.unit);
    if let Some(origin) = origin {
        let words =
            if origin.items.is_empty() { "this failed".to_owned() } else { format!("this failed: {}", origin.items) };
        remark = remark.at(origin.span, words);
        if origin.made_of.is_some() {
            remark = remark.because(format!("{logical_id} comes from {}", events::words(&origin)));
        }
    }
    remark = remark.because(format!("the stack is in {}", ended.status));
    let is_cleaned_up = choices.on_failure == OnFailureArg::Delete && ended.status != "UPDATE_ROLLBACK_FAILED";
    (remark.help(if is_cleaned_up { AGAIN.to_owned() } else { advice(&ended.status, name) }), unit)
}

/// What can be done with a stack whose deployment ended like this.
fn advice(status: &str, name: &str) -> String {
    match status {
        "CREATE_FAILED" => format!(
            "what was made is still there to look at; mend the template and deploy again with --replace-failed, or roll back: `aws cloudformation rollback-stack --stack-name {name}`"
        ),
        "UPDATE_FAILED" => format!(
            "mend the template and deploy again, or roll back: `aws cloudformation rollback-stack --stack-name {name}`"
        ),
        "ROLLBACK_COMPLETE" | "ROLLBACK_FAILED" => {
            "mend the template and deploy again with --replace-failed: this stack cannot be updated".to_owned()
        }
        "UPDATE_ROLLBACK_FAILED" => {
            format!("mend what failed, and run `aws cloudformation continue-update-rollback --stack-name {name}`")
        }
        "UPDATE_ROLLBACK_COMPLETE" | "IMPORT_ROLLBACK_COMPLETE" => {
            "the stack is as it was before; mend the template and deploy again".to_owned()
        }
        _ => AGAIN.to_owned(),
    }
}

const AGAIN: &str = "mend the template and deploy again";

/// Takes away what a failed deployment left, with `--on-failure delete`: an update goes back, a stack
/// that never worked is deleted. What went wrong with that is returned.
pub(super) fn clean_up(
    status: &str,
    stack_id: &str,
    choices: &Choices,
    service: &mut Service,
    watcher: &mut dyn Watcher,
) -> Option<Remark> {
    if choices.on_failure != OnFailureArg::Delete {
        return None;
    }
    let role = choices.role_arn.as_deref();
    let (what, ended) = match status {
        "UPDATE_FAILED" => ("rolled back", service.roll_back(stack_id, role, watcher)),
        "CREATE_FAILED" | "ROLLBACK_COMPLETE" | "ROLLBACK_FAILED" => {
            ("deleted", service.remove(stack_id, role, watcher))
        }
        _ => return None,
    };
    let name = &choices.stack_name;
    match ended {
        Ok(ended) if ended.is_success => Some(Remark::note(format!("stack {name} was {what}"))),
        Ok(ended) => Some(Remark::error(format!("stack {name} could not be {what}: it is in {}", ended.status))),
        Err(stop) => Some(refusal::of(&stop, name, None).0),
    }
}
