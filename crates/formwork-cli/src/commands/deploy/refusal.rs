//! A call that failed, in words (spec packaging.md, section 10), and the status that it leads to.

use formwork_aws::{Failure, Reason, Trouble, TroubleKind};
use formwork_deploy::Stop;
use formwork_report::Remark;

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
        Reason::Throttled | Reason::TimedOut | Reason::Unreachable | Reason::Malformed => (
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
        (Reason::Malformed, None) => "the answer cannot be read".to_owned(),
        _ => "no reason is given".to_owned(),
    }
}

/// Advice for sentences that people search for.
pub(in crate::commands) fn advised(remark: Remark, sentence: &str) -> Remark {
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
