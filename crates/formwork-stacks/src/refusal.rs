//! Reports failed calls (reference/deploy.md#refusals), with the exit status that each leads to.

use std::time::Duration;

use formwork_aws::{AwsError, AwsErrorKind, CallError, CallErrorKind};
use formwork_deploy::{
    ChangeSetDeletion, DeployError, DeployFailure, ExistingChangeSet, Leftover, Stack, sentence, status,
};
use formwork_report::{Notice, printable};
use formwork_run::Status;

use super::finding_counts;

/// Returns the report of a deployment that ended early.
pub fn of_failure(failure: &DeployFailure) -> Notice {
    let name = &failure.outcome.stack_name;
    let notice = match &failure.error {
        DeployError::ChangeSetFailed { reason } if failure.outcome.examination.has_errors() => {
            let counts = finding_counts::counts(&failure.outcome.examination);
            let notice =
                Notice::error(format!("the change set of stack {name} failed: {counts}; nothing was executed"));
            in_review(notice.because(format!("CloudFormation reports `{reason}`")), failure)
        }
        DeployError::Rejected => {
            let counts = finding_counts::counts(&failure.outcome.examination);
            let notice = Notice::error(format!("the change set of stack {name} has {counts}; nothing was executed"));
            let notice = if failure.outcome.examination.has_errors() {
                notice
            } else {
                notice.because("with `--strict` a change set with warnings is not executed")
            };
            in_review(notice, failure)
        }
        error => of(error, name),
    };
    match &failure.leaves {
        Leftover::Operation(what) => notice.because(format!("{what} continues in CloudFormation")).help(format!(
            "to see the rest of it, run the same command with --wait, or `formwork events {name} --follow`"
        )),
        Leftover::ChangeSet(deletion) => deleted(notice, deletion),
        Leftover::Unexecuted(id) => notice.because(format!("the change set is left unexecuted: {id}")),
        Leftover::Unknown(what) => notice.because(format!("it is not known whether {what} has begun")).help(
            "run the same command again with `--wait`: it waits for its end, and then finds what is left to change",
        ),
        _ if matches!(failure.error, DeployError::Interrupted | DeployError::TimedOut) => {
            notice.because("nothing was deployed")
        }
        _ => notice,
    }
}

/// Adds a note about the stack that the change set created, and that stays empty.
fn in_review(notice: Notice, failure: &DeployFailure) -> Notice {
    let name = &failure.outcome.stack_name;
    // A stack for validation only is removed with its change set.
    if !failure.outcome.is_create || failure.outcome.only_validates {
        return notice;
    }
    notice
        .because(format!("stack {name} is empty, in REVIEW_IN_PROGRESS"))
        .help(format!("the next `formwork deploy` uses it, and `formwork delete --stack-name {name}` removes it"))
}

/// Returns the report of a failed step.
pub fn of(error: &DeployError, stack: &str) -> Notice {
    match error {
        DeployError::Interrupted => Notice::warning("interrupted"),
        DeployError::TimedOut => Notice::error("the time of --max-wait-duration is over"),
        DeployError::Call { call, source } => failed(call, source, stack),
        DeployError::NotUpdatable(state) => {
            let (id, status) = (printable(&state.id), printable(&state.status));
            let notice = Notice::error(format!("stack {stack} cannot be updated: it is in {status}"))
                .because(format!("CloudFormation: `Stack:{id} is in {status} state and can not be updated.`"));
            because(notice, state).help("pass `--replace-failed`: the stack is deleted and created again")
        }
        DeployError::Busy(state) => {
            let what = status::operation(&state.status);
            Notice::error(format!("stack {stack} cannot be changed now: {what} is in progress ({})", state.status))
                .help("pass `--wait` to wait for its end, or run the command later")
        }
        DeployError::RollbackFailed(state) => {
            let notice = Notice::error(format!(
                "stack {stack} is in UPDATE_ROLLBACK_FAILED: the rollback has to be continued first"
            ));
            because(notice, state).help(format!(
                "fix what it names, and run `aws cloudformation continue-update-rollback --stack-name {stack}`"
            ))
        }
        DeployError::ChangeSetFailed { reason } => not_created(stack, reason),
        DeployError::NoChangeSet { change_set } => {
            let name = printable(change_set).into_owned();
            Notice::error(format!("change set {name} does not exist"))
                .because("it was deleted, or it is in another account or Region")
                .help("make a new one with `formwork deploy --no-execute`")
        }
        DeployError::NotExecutable(existing) => not_executable(existing),
        DeployError::ReplacementWithoutRollback => Notice::error(format!(
            "stack {stack} cannot be updated like this: resources are replaced, and rollback is disabled"
        )),
        DeployError::DataLoss { resources } => {
            Notice::error(data_loss(resources)).help("pass `--yes` if that is what you want")
        }
        error => not_deleted(error, stack).unwrap_or_else(|| Notice::error(error.to_string())),
    }
}

/// Returns why a stack is not deleted; `None` for other errors.
fn not_deleted(error: &DeployError, stack: &str) -> Option<Notice> {
    Some(match error {
        DeployError::NotDeleted(end) => {
            let why = end.first_failure.as_ref().and_then(|event| event.reason.as_ref()).or(end.reason.as_ref());
            let why = why.map_or("", String::as_str);
            Notice::error(format!("stack {stack} cannot be deleted: `{why}`"))
                .help("delete what keeps it by hand, and deploy again with --replace-failed")
        }
        DeployError::Protected(_) => Notice::error(format!("stack {stack} is protected against deletion"))
            .because("its termination protection is enabled; nothing was deleted")
            .help(format!(
                "disable it with `aws cloudformation update-termination-protection --no-enable-termination-protection --stack-name {stack}`"
            )),
        DeployError::NotInStack { resources } => {
            let names = printable(&resources.join(", ")).into_owned();
            Notice::error(format!("stack {stack} has no resource {names}; nothing was deleted"))
                .help("name resources of the stack itself in `--retain-resources`, by logical ID")
        }
        DeployError::NotRetainable(state) => {
            let status = printable(&state.status).into_owned();
            Notice::error(format!("stack {stack} is in {status}: resources can be retained only in DELETE_FAILED"))
                .because("nothing was deleted, and no bucket was emptied")
                .help("leave out `--retain-resources`: CloudFormation allows it after a deletion that failed")
        }
        DeployError::NotForcible(state) => {
            let status = printable(&state.status).into_owned();
            Notice::error(format!("stack {stack} is in {status}: it can be deleted by force only in DELETE_FAILED"))
                .because("nothing was deleted, and no bucket was emptied")
                .help("leave out `--deletion-mode FORCE_DELETE_STACK`: CloudFormation allows it after a deletion that failed")
        }
        DeployError::ExportInUse { export, stacks } => {
            let (export, stacks) = (printable(export).into_owned(), printable(&stacks.join(", ")).into_owned());
            Notice::error(format!("stack {stack} cannot be deleted: its export {export} is imported by {stacks}"))
                .because("nothing was deleted, and no bucket was emptied")
                .help("delete or change the stacks that import it first")
        }
        DeployError::NotEmptied { bucket, source } => {
            let notice = of_aws_error(source);
            let message = format!("bucket {} cannot be emptied: {}", printable(bucket), notice.message);
            Notice { message, ..notice }
        }
        DeployError::Unattended => Notice::error(format!("deleting stack {stack} needs a confirmation, and standard input is not a terminal"))
            .because("nothing was deleted")
            .help("pass `--yes` to delete it without a question"),
        _ => return None,
    })
}

/// Returns the exit status of a deployment whose step failed.
pub fn status_of(error: &DeployError) -> Status {
    match error {
        DeployError::Interrupted => Status::Interrupted,
        DeployError::TimedOut => Status::TimedOut,
        DeployError::Call { source, .. }
            if matches!(source.kind, CallErrorKind::Credentials | CallErrorKind::Denied) =>
        {
            Status::NotPermitted
        }
        DeployError::Call { source, .. }
            if matches!(
                source.kind,
                CallErrorKind::Unreachable | CallErrorKind::Untrusted | CallErrorKind::TimedOut
            ) =>
        {
            Status::Unreachable
        }
        DeployError::NotEmptied { source, .. }
            if matches!(source.kind, AwsErrorKind::Credentials | AwsErrorKind::Denied) =>
        {
            Status::NotPermitted
        }
        DeployError::DataLoss { .. } | DeployError::Unattended | DeployError::NotInStack { .. } => Status::Failed,
        _ => Status::Errors,
    }
}

/// Returns the message that data may be lost.
pub fn data_loss(resources: &[String]) -> String {
    format!("data may be lost: {} would be replaced or deleted", resources.join(", "))
}

fn not_executable(existing: &ExistingChangeSet) -> Notice {
    let (id, stack) = (printable(&existing.set.id).into_owned(), printable(&existing.stack_name).into_owned());
    let states = [existing.status.as_str(), existing.execution_status.as_str()];
    let states: Vec<&str> = states.into_iter().filter(|state| !state.is_empty()).collect();
    let states = printable(&states.join(", ")).into_owned();
    if existing.execution_status == "EXECUTE_IN_PROGRESS" {
        return Notice::error(format!("the change set of stack {stack} is being executed: {id}"))
            .help("pass `--wait` to follow it to its end");
    }
    let notice = Notice::error(format!("the change set of stack {stack} cannot be executed: it is in {states}"));
    let notice = match &existing.reason {
        Some(reason) => notice.because(format!("CloudFormation reports `{reason}`")),
        None => notice,
    };
    notice.because(format!("it is not deleted: {id}")).help("deploy again: `formwork deploy` makes a new change set")
}

fn because(notice: Notice, stack: &Stack) -> Notice {
    match &stack.reason {
        Some(reason) => notice.because(format!("CloudFormation reports `{reason}`")),
        None => notice,
    }
}

fn not_created(stack: &str, sentence: &str) -> Notice {
    advised(Notice::error(format!("`Failed to create changeset for the stack: {stack}, {sentence}`")), sentence)
}

/// Returns the report of a call that is repeated.
pub fn repeated(call: &str, failure: &CallError, pause: Duration) -> Notice {
    let notice = match failure.kind {
        CallErrorKind::Throttled => Notice::warning(format!("{call} is throttled: {}", reason(failure))),
        _ => Notice::warning(format!("{call} is not answered: {}", reason(failure))),
    };
    notice.because(format!("the run continues: the call is repeated after {:.1} s", pause.as_secs_f64()))
}

/// Returns the report of an incomplete response that is used nevertheless.
pub fn incomplete(call: &str, failure: &CallError) -> Notice {
    Notice::warning(format!("{call} returns an incomplete listing: {}", reason(failure)))
        .because("the run continues; entries of other pages may be missing")
}

/// Adds the result of deleting an unexecuted change set.
fn deleted(notice: Notice, deletion: &ChangeSetDeletion) -> Notice {
    let name = printable(&deletion.change_set).into_owned();
    match &deletion.failure {
        None => notice.because(format!("the change set is deleted, nothing was executed: {name}")),
        Some(failure) => notice
            .because(format!("the change set could not be deleted and may still exist: {name}: {}", reason(failure)))
            .help(format!("delete it with `aws cloudformation delete-change-set --change-set-name {name}`")),
    }
}

fn failed(call: &str, failure: &CallError, stack: &str) -> Notice {
    let words = reason(failure);
    match failure.kind {
        CallErrorKind::Credentials => of_aws_error(&AwsError::rejected(failure)),
        CallErrorKind::Denied => Notice::error(format!("these credentials may not do this: {words}"))
            .because(format!("the call was {}", action(call)))
            .help("allow the action that the sentence names, or name other credentials with --profile"),
        CallErrorKind::Refused if call == "CreateChangeSet" => not_created(stack, raw(failure)),
        CallErrorKind::Refused => advised(Notice::error(format!("{call} is rejected: {words}")), raw(failure)),
        CallErrorKind::Throttled => Notice::error(format!("{call} is throttled: {words}"))
            .because("CloudFormation limits how often an account calls it in a Region")
            .help("run the command again later; `--max-wait-duration MINUTES` sets how long it tries"),
        CallErrorKind::Malformed => Notice::error(format!("the answer to {call} is not from CloudFormation: {words}"))
            .help("look at what answers there: AWS_ENDPOINT_URL, or a proxy (HTTPS_PROXY, NO_PROXY)"),
        CallErrorKind::Endless => Notice::error(format!("the answer to {call} does not end: {words}"))
            .help("look at what answers there: AWS_ENDPOINT_URL, or a proxy (HTTPS_PROXY, NO_PROXY)"),
        CallErrorKind::Untrusted => Notice::error(format!("the certificate of CloudFormation is not trusted: {words}"))
            .because(format!("the call was {call}"))
            .help(formwork_aws::TRUST),
        CallErrorKind::Unreachable if failure.unconnected().is_some() => {
            let (url, why) = failure.unconnected().unwrap_or_default();
            Notice::error(format!("cannot connect to {url} ({call}): {why}"))
                .because(format!("the URL comes from {}", origin_of(url)))
                .help("look at what listens there, the network, and HTTPS_PROXY, and try again")
        }
        CallErrorKind::TimedOut | CallErrorKind::Unreachable => {
            Notice::error(format!("{call} is not answered: {words}"))
                .help("look at the network, the Region, HTTPS_PROXY and AWS_ENDPOINT_URL, and try again")
        }
    }
}

/// Returns the IAM action that a call requires.
fn action(call: &str) -> String {
    match call {
        "FilterLogEvents" => format!("logs:{call}"),
        "DescribeStateMachine" => format!("states:{call}"),
        "GetFunctionUrlConfig" => format!("lambda:{call}"),
        "GetStages" => "apigateway:GET".to_owned(),
        _ => format!("cloudformation:{call}"),
    }
}

/// Returns the source of the URL of CloudFormation, such as an environment variable.
fn origin_of(url: &str) -> &'static str {
    const NAMES: [&str; 5] = [
        "AWS_ENDPOINT_URL_CLOUDFORMATION",
        "AWS_ENDPOINT_URL_CLOUDWATCH_LOGS",
        "AWS_ENDPOINT_URL_LAMBDA",
        "AWS_ENDPOINT_URL_STS",
        "AWS_ENDPOINT_URL",
    ];
    let is_of = |name: &str| std::env::var(name).is_ok_and(|value| value.trim_end_matches('/') == url);
    let named = NAMES.into_iter().find(|name| is_of(name));
    let host = url.split_once("://").map_or(url, |(_, rest)| rest.split('/').next().unwrap_or_default());
    let is_regional =
        [".amazonaws.com", ".amazonaws.com.cn", ".amazonaws.eu"].iter().any(|suffix| host.ends_with(suffix));
    let regional = is_regional.then_some("the Region");
    named.or(regional).unwrap_or("`--endpoint-url`, or `endpoint_url` of the profile")
}

/// Returns the sentence of the service as it was sent.
fn raw(failure: &CallError) -> &str {
    failure.sentence().unwrap_or("the service reports no reason")
}

/// Returns why a call failed, in a few words.
pub fn reason(failure: &CallError) -> String {
    match failure.detail {
        Some(_) => format!("`{}`", raw(failure)),
        None => failure.kind.words().to_owned(),
    }
}

/// Adds advice for well-known sentences.
fn advised(notice: Notice, sentence: &str) -> Notice {
    if sentence::is_race(sentence) {
        return notice
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
        ("must have values", "pass them: `--parameter-overrides NAME=VALUE`"),
        ("S3 error", "look at the bucket: its Region, and whether the credentials may read it"),
    ];
    match advice.iter().find(|(words, _)| sentence.contains(words)) {
        Some((_, help)) => notice.help(*help),
        None => notice,
    }
}

/// Returns the report of an AWS setup that prevents any call.
pub fn of_aws_error(error: &AwsError) -> Notice {
    let notice = Notice::error(&error.message);
    let notice = match &error.detail {
        Some(detail) => notice.because(format!("the answer was `{detail}`")),
        None => notice,
    };
    notice.help(&error.help)
}

/// Returns the exit status of such an error.
pub fn status_of_aws_error(error: &AwsError) -> Status {
    match error.kind {
        AwsErrorKind::Credentials => Status::NotPermitted,
        AwsErrorKind::Region => Status::NoRegion,
        _ => Status::Failed,
    }
}
