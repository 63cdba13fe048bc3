//! Hooks: what they reject, and what they advise.
//!
//! Holds reference/deploy.md#hooks.

use crate::answers::{
    Change, Event, change_set, created, done, events, fails_with, hook_result, hook_results, operation_events, ready,
    stack, summary,
};
use crate::program::Case;
use crate::server::Step;

const QUEUE: &str = "AWS::SQS::Queue";
const SENTENCE: &str = "The following hook(s) failed: [Private::Guard::TestHook]";
const FAILED: [&str; 5] =
    ["r-1", "Private::Guard::TestHook", "FAIL", "HOOK_COMPLETE_FAILED", "Template failed validation"];
const WARNS: [&str; 5] = ["r-2", "Private::Guard::Softly", "WARN", "HOOK_FAILED", "The handler timed out"];
const PASSED: [&str; 5] = ["r-3", "Private::Guard::Fine", "FAIL", "HOOK_COMPLETE_SUCCEEDED", ""];

const ANNOTATIONS: [[&str; 6]; 3] = [
    [
        "Encryption",
        "FAILED",
        "the queue is not encrypted",
        "Set KmsMasterKeyId.",
        "https://example.com/rules/1",
        "HIGH",
    ],
    ["Names", "PASSED", "", "", "", ""],
    ["Tags", "FAILED", "the tag Team is missing", "", "", ""],
];

fn begin() -> Vec<Step> {
    vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&[]), created()]
}

fn failed(asked: Vec<Step>) -> Vec<Step> {
    let set = change_set("FAILED", SENTENCE, &[]);
    [begin(), vec![set, operation_events(&[]), operation_events(&[])], asked, vec![done("DeleteChangeSet")]].concat()
}

#[test]
fn a_rejected_change_set_has_the_advice_of_its_hooks() {
    let asked =
        || vec![hook_results(&[PASSED, FAILED, WARNS]), hook_result(FAILED, &ANNOTATIONS), hook_result(WARNS, &[])];
    let run = Case::new("hooks-failed").deploy(failed(asked()), &["--format", "json"]);
    insta::assert_snapshot!(run.all());
    let run = Case::new("hooks-json").deploy(failed(asked()), &["--message-format", "json"]);
    insta::assert_snapshot!(run.err);
}

#[test]
fn without_the_permission_there_is_the_reason_of_the_hook() {
    let denied = fails_with(
        "GetHookResult",
        403,
        "AccessDenied",
        "User is not authorized to perform: cloudformation:GetHookResult",
    );
    let run = Case::new("hooks-denied").deploy(failed(vec![hook_results(&[FAILED]), denied]), &[]);
    insta::assert_snapshot!(run.told());
    let denied = fails_with(
        "ListHookResults",
        403,
        "AccessDenied",
        "User is not authorized to perform: cloudformation:ListHookResults",
    );
    let run = Case::new("hooks-list-denied").deploy(failed(vec![denied]), &[]);
    assert!(run.status == 1 && run.err.contains("may not call cloudformation:ListHookResults"), "{}", run.err);
    // One that the endpoint does not have is not named.
    let run = Case::new("hooks-unknown").deploy(failed(vec![]), &[]);
    assert!(run.status == 1 && run.err.contains(SENTENCE) && !run.err.contains("not known"), "{}", run.err);
}

#[test]
fn a_hook_that_warns_ends_nothing() {
    let steps = || {
        let set = ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")]);
        let asked = vec![set, operation_events(&[]), hook_results(&[WARNS]), hook_result(WARNS, &ANNOTATIONS[..1])];
        [begin(), asked].concat()
    };
    let run = Case::new("hooks-warn").deploy(steps(), &["--no-execute", "--format", "json"]);
    insta::assert_snapshot!(run.told());
    let strict = [steps(), vec![done("DeleteChangeSet")]].concat();
    let run = Case::new("hooks-warn-strict").deploy(strict, &["--strict"]);
    assert!(run.status == 1 && run.err.contains("has 1 warning; nothing was executed"), "{}", run.err);
}

#[test]
fn a_hook_of_a_resource_is_at_its_line() {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    let hook = |number, id: &str, mode: &str| {
        Event::of(number, id, QUEUE, "CREATE_IN_PROGRESS")
            .with("HookType", "Private::Guard::TestHook")
            .with("HookStatus", "HOOK_COMPLETE_FAILED")
            .with("HookStatusReason", "not encrypted")
            .with("HookFailureMode", mode)
    };
    let reason = "The following hook(s) failed: [Private::Guard::TestHook]";
    let all = [
        before.clone(),
        Event::stack(8, "UPDATE_IN_PROGRESS"),
        hook(9, "QueueOrders", "FAIL").with("HookInvocationId", "r-1"),
        hook(10, "QueueUsers", "WARN"),
        Event::of(11, "QueueOrders", QUEUE, "CREATE_FAILED").because(reason),
        Event::stack(12, "UPDATE_ROLLBACK_COMPLETE"),
    ];
    let asked = vec![
        ready(&[Change::new("Add", "QueueOrders", QUEUE)]),
        operation_events(&[]),
        hook_results(&[]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&all),
        hook_result(FAILED, &ANNOTATIONS[..1]),
    ];
    let run = Case::new("hooks-resource").deploy([begin(), asked].concat(), &["--format", "json"]);
    insta::assert_snapshot!(run.told());
}
