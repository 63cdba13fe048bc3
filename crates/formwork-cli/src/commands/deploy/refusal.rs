//! A call that failed, in words (reference/deploy.md#refusals), and the status that it leads to.

use std::time::Duration;

use formwork_aws::{Failure, Reason, Trouble, TroubleKind};
use formwork_deploy::{Stop, Withdrawn};
use formwork_report::{Remark, printable};

use crate::Status;

/// What is to be said of a step that did not come to its end, and the status of the program. `goes_on`
/// is what still happens at the service.
pub(in crate::commands) fn of(stop: &Stop, stack: &str, goes_on: Option<&str>) -> (Remark, Status) {
    let (remark, status) = match stop {
        Stop::Interrupted => (Remark::warning("interrupted"), Status::Interrupted),
        Stop::TimedOut => (Remark::error("the time given by --max-wait-duration is over"), Status::TimedOut),
        Stop::Failed { call, failure } => failed(call, failure, stack),
    };
    let remark = match goes_on {
        None => remark,
        Some(what) => remark.because(format!("{what} goes on at the service")).help(format!(
            "to see the rest of it, run the same command with --wait, or `aws cloudformation describe-stack-events --stack-name {stack}`"
        )),
    };
    (remark, status)
}

/// What a deployment came to that ended like this, in a word for programs.
pub(super) fn result(stop: &Stop) -> &'static str {
    match stop {
        Stop::Interrupted => "interrupted",
        Stop::TimedOut => "timed-out",
        Stop::Failed { failure, .. } => match failure.reason {
            Reason::Refused | Reason::Denied | Reason::Credentials => "refused",
            _ => "unanswered",
        },
    }
}

/// What is to be said of a call that is made again.
pub(in crate::commands) fn repeated(call: &str, failure: &Failure, pause: Duration) -> Remark {
    let remark = match failure.reason {
        Reason::Throttled => Remark::warning(format!("{call} is throttled: {}", reason(failure))),
        _ => Remark::warning(format!("{call} is not answered: {}", reason(failure))),
    };
    remark.because(format!("the run continues: the call is repeated after {:.1} s", pause.as_secs_f64()))
}

/// What is to be said of an answer that is used although it is not whole.
pub(in crate::commands) fn incomplete(call: &str, failure: &Failure) -> Remark {
    Remark::warning(format!("{call} returns an incomplete listing: {}", reason(failure)))
        .because("the run continues; older events may be missing")
}

/// What became of a change set that is not executed.
pub(super) fn withdrawn(remark: Remark, withdrawn: &Withdrawn) -> Remark {
    let name = printable(&withdrawn.change_set).into_owned();
    match &withdrawn.left {
        None => remark.because(format!("the change set is deleted, nothing was executed: {name}")),
        Some(failure) => remark
            .because(format!("the change set could not be deleted and may still exist: {name}: {}", reason(failure)))
            .help(format!("delete it with `aws cloudformation delete-change-set --change-set-name {name}`")),
    }
}

fn failed(call: &str, failure: &Failure, stack: &str) -> (Remark, Status) {
    let words = reason(failure);
    match failure.reason {
        Reason::Credentials => (of_trouble(&Trouble::rejected(failure.detail.clone())), Status::NotPermitted),
        Reason::Denied => (
            Remark::error(format!("these credentials may not do this: {words}"))
                .because(format!("the call was cloudformation:{call}"))
                .help("allow the action that the sentence names, or name other credentials with --profile"),
            Status::NotPermitted,
        ),
        Reason::Refused if call == "CreateChangeSet" => {
            let remark =
                Remark::error(format!("`Failed to create changeset for the stack: {stack}, {}`", raw(failure)));
            (advised(remark, raw(failure)), Status::Errors)
        }
        Reason::Refused => {
            (advised(Remark::error(format!("{call} is refused: {words}")), raw(failure)), Status::Errors)
        }
        Reason::Throttled => (
            Remark::error(format!("{call} is throttled: {words}"))
                .because("CloudFormation limits how often an account calls it in a Region")
                .help("run the command again later; `--max-wait-duration MINUTES` says how long it tries"),
            Status::Errors,
        ),
        Reason::Malformed => (
            Remark::error(format!("the answer to {call} is not from CloudFormation: {words}"))
                .help("look at what answers there: AWS_ENDPOINT_URL, or a proxy (HTTPS_PROXY, NO_PROXY)"),
            Status::Errors,
        ),
        Reason::Endless => (
            Remark::error(format!("the answer to {call} does not end: {words}"))
                .help("look at what answers there: AWS_ENDPOINT_URL, or a proxy (HTTPS_PROXY, NO_PROXY)"),
            Status::Errors,
        ),
        Reason::Untrusted => (
            Remark::error(format!("the certificate of CloudFormation is not trusted: {words}"))
                .because(format!("the call was {call}"))
                .help(formwork_aws::TRUST),
            Status::Errors,
        ),
        Reason::TimedOut | Reason::Unreachable => (
            Remark::error(format!("{call} is not answered: {words}"))
                .help("look at the network, the Region, HTTPS_PROXY and AWS_ENDPOINT_URL, and try again"),
            Status::Errors,
        ),
    }
}

/// The service's own sentence.
fn raw(failure: &Failure) -> &str {
    failure.sentence().unwrap_or("the service gives no reason")
}

/// Why a call failed, in a few words.
pub(in crate::commands) fn reason(failure: &Failure) -> String {
    match (failure.reason, &failure.detail) {
        (_, Some(_)) => format!("`{}`", raw(failure)),
        (Reason::Throttled, None) => "there are too many calls".to_owned(),
        (Reason::TimedOut, None) => "it took too long".to_owned(),
        (Reason::Unreachable, None) => "the endpoint cannot be reached".to_owned(),
        (Reason::Untrusted, None) => "its certificate is not trusted".to_owned(),
        (Reason::Malformed, None) => "the answer cannot be read".to_owned(),
        (Reason::Endless, None) => "the answer does not end".to_owned(),
        _ => "no reason is given".to_owned(),
    }
}

/// Advice for sentences that people search for.
pub(in crate::commands) fn advised(remark: Remark, sentence: &str) -> Remark {
    if is_race(sentence) {
        return remark
            .because("another operation changes the stack, or changed it since the change set was made")
            .help("run the command again with `--wait`: it waits for the end of the other operation");
    }
    let advice = [
        ("Requires capabilities", "acknowledge them with `--capabilities`, if what needs them is what you want"),
        ("can not be updated", "look at the status of the stack; `--replace-failed` deletes one that never worked"),
        ("TemplateURL must be", "package the nested templates first: `formwork package`"),
        ("Fn::FindInMap - Key", "the template was packaged with other parameter values: package it again with these"),
        (
            "Unable to get mapping for",
            "the template was packaged with other parameter values: package it again with these",
        ),
        ("must have values", "give them: `--parameter-overrides NAME=VALUE`"),
        ("S3 error", "look at the bucket: its Region, and whether the credentials may read it"),
    ];
    match advice.iter().find(|(words, _)| sentence.contains(words)) {
        Some((_, help)) => remark.help(*help),
        None => remark,
    }
}

/// Whether it is open if the service has done what `stop` says was not answered.
pub(super) fn is_open(stop: &Stop) -> bool {
    let Stop::Failed { failure, .. } = stop else { return false };
    matches!(failure.reason, Reason::TimedOut | Reason::Unreachable | Reason::Malformed | Reason::Endless)
}

/// Whether a sentence says that somebody else was faster: the stack is busy, or the change set is of a
/// state that it is no longer in.
fn is_race(sentence: &str) -> bool {
    let is_busy = sentence.contains("_IN_PROGRESS") && !sentence.contains("REVIEW_IN_PROGRESS");
    is_busy || sentence.contains("[OBSOLETE]") || sentence.contains("status of OBSOLETE")
}

/// Why AWS cannot be asked at all.
pub(in crate::commands) fn of_trouble(trouble: &Trouble) -> Remark {
    let remark = Remark::error(&trouble.message);
    let remark = match &trouble.detail {
        Some(detail) => remark.because(format!("the answer was `{detail}`")),
        None => remark,
    };
    remark.help(&trouble.help)
}

/// The status that a trouble leads to.
pub(in crate::commands) fn status(trouble: &Trouble) -> Status {
    if trouble.kind == TroubleKind::Credentials { Status::NotPermitted } else { Status::Trouble }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn races() {
        for sentence in [
            "Stack:arn:aws:cloudformation:eu-west-1:1:stack/shop/1 is in UPDATE_IN_PROGRESS state and can not be updated.",
            "ChangeSet [arn:x] cannot be executed in its current execution status of [OBSOLETE]",
            "Stack [shop] is in UPDATE_COMPLETE_CLEANUP_IN_PROGRESS state and can not be updated.",
        ] {
            assert!(is_race(sentence), "{sentence}");
        }
        for sentence in [
            "Stack:arn:x is in ROLLBACK_COMPLETE state and can not be updated.",
            "Stack [shop] is in REVIEW_IN_PROGRESS state",
        ] {
            assert!(!is_race(sentence), "{sentence}");
        }
    }
}
