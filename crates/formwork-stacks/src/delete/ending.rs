//! Reports deletions that did not delete the stack.

use formwork_deploy::{DeployError, DeployFailure, Event, Leftover, Outcome};
use formwork_report::{Notice, printable};
use serde_json::json;

use crate::refusal;
use crate::reporter::DeployReporter;

/// Returns the report of a failed deletion: the first failure, and advice.
pub fn failed(outcome: &Outcome, name: &str, failed: &[Event], reporter: &mut DeployReporter<'_>) -> Notice {
    let end = outcome.failure.as_ref();
    let first = end.and_then(|end| end.first_failure.as_ref()).or(failed.first());
    let status = outcome.status.as_deref().unwrap_or_default();
    for event in failed {
        let failure = json!({
            "path": event.within,
            "logical_id": event.logical_id,
            "type": event.kind,
            "status": event.status,
            "reason": event.reason,
        });
        reporter.add_failure(failure);
    }
    let what = match first {
        Some(event) => {
            let reason = event.reason.as_deref().unwrap_or("no reason is reported");
            format!("{} ({}): {reason}", event.path(), event.kind)
        }
        None => end.and_then(|end| end.reason.clone()).unwrap_or_else(|| status.to_owned()),
    };
    let notice = Notice::error(format!("stack {name} cannot be deleted: `{what}`"));
    let mut notice = notice.because(format!("the stack is in {}", printable(status)));
    let is_not_empty = |event: &Event| {
        let reason = event.reason.as_deref().unwrap_or_default();
        event.kind == "AWS::S3::Bucket" && reason.contains("not empty")
    };
    if failed.iter().any(is_not_empty) {
        notice = notice.help("`--force-empty-buckets` deletes the objects of the stack's buckets first");
    }
    let kept = retainable(failed.iter().filter_map(Event::resource));
    if status == "DELETE_FAILED" && !kept.is_empty() {
        notice = notice.help(format!(
            "correct that and delete again, or leave what cannot be deleted in the account with `--retain-resources {}`",
            printable(&kept.join(" "))
        ));
    }
    notice
}

/// Returns the resources of the root stack that could not be deleted: a resource in a nested stack can only be kept
/// with the nested stack.
fn retainable<'e>(failed: impl Iterator<Item = (&'e [String], &'e str)>) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (within, logical_id) in failed {
        let root = within.first().map_or(logical_id, String::as_str);
        if !found.iter().any(|known| known == root) {
            found.push(root.to_owned());
        }
    }
    found
}

/// Returns the report of a deletion that ended early.
pub fn stopped(failure: &DeployFailure) -> Notice {
    let name = &failure.outcome.stack_name;
    let notice = refusal::of(&failure.error, name);
    match &failure.leaves {
        Leftover::Operation("the delete") => notice
            .because("the deletion continues in CloudFormation")
            .help(format!("to see the rest of it, run `formwork delete --stack-name {name}` again")),
        Leftover::Operation(what) => notice.because(format!("{what} continues in CloudFormation; nothing was deleted")),
        Leftover::Unknown(_) => notice.because("it is not known whether the deletion has begun").help(format!(
            "run `formwork delete --stack-name {name}` again: it follows a deletion that is in progress"
        )),
        Leftover::EmptiedBuckets(buckets) => buckets.iter().fold(
            notice.because("the stack was not deleted, but objects of its buckets were"),
            |notice, (bucket, count)| {
                notice.because(format!("{count} object versions of bucket {} were deleted", printable(bucket)))
            },
        ),
        _ if matches!(failure.error, DeployError::Interrupted | DeployError::TimedOut) => {
            notice.because("nothing was deleted")
        }
        _ => notice,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_of_nested_stacks_are_kept_with_their_stack() {
        let (outer, nested) = (Vec::<String>::new(), ["Outer".to_owned(), "Inner".to_owned()]);
        let failed: [(&[String], &str); 3] = [(&nested, "Topic"), (&outer, "Logs"), (&outer, "Outer")];
        assert_eq!(retainable(failed.into_iter()), ["Outer", "Logs"]);
    }
}
