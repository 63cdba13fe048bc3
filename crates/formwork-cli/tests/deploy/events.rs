//! `events`: those of the last operation, of others, and of the one that goes on.
//!
//! Holds reference/around.md#events, reference/around.md#times.

use serde_json::{Value, json};

use super::answers::{
    Event, STACK_ID, events, failed_events, fails, followed, foreign, interrupted, no_stack, stack, throttled,
};
use super::outputs::caller;
use super::program::{Case, Run};
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";
const NESTED: &str = "AWS::CloudFormation::Stack";
const NESTED_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Inner/5e6f";

fn run(name: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    Case::new(name).run(steps, &[&["events", "shop", "-t", "t.yaml", "--poll-delay", "0.02"], words].concat())
}

fn shop(status: &str) -> Step {
    stack(status, &[("Stage", "prod")], &[])
}

fn of(operation: &str, events: Vec<Event>) -> Vec<Event> {
    events.into_iter().map(|event| event.with("OperationId", operation)).collect()
}

/// A create, and an update that failed and was rolled back under an ID of its own.
fn two_operations() -> Vec<Event> {
    [
        of(
            "op-1",
            vec![
                Event::stack(1, "CREATE_IN_PROGRESS").because("User Initiated"),
                Event::of(2, "Topic", TOPIC, "CREATE_COMPLETE"),
                Event::stack(3, "CREATE_COMPLETE"),
            ],
        ),
        of(
            "op-2",
            vec![
                Event::stack(10, "UPDATE_IN_PROGRESS").because("User Initiated"),
                Event::of(11, "QueueOrders", QUEUE, "CREATE_IN_PROGRESS"),
                Event::of(12, "QueueUsers", QUEUE, "CREATE_FAILED").because("Resource creation cancelled"),
                Event::of(13, "QueueOrders", QUEUE, "CREATE_FAILED").because("shop-\u{1b}[31m already exists"),
            ],
        ),
        of(
            "op-3",
            vec![
                Event::stack(20, "UPDATE_ROLLBACK_IN_PROGRESS").because("The following resource(s) failed"),
                Event::of(21, "Topic", TOPIC, "UPDATE_COMPLETE").with("DetailedStatus", "CONFIGURATION_COMPLETE"),
                Event::stack(22, "UPDATE_ROLLBACK_COMPLETE"),
            ],
        ),
    ]
    .concat()
}

fn steps() -> Vec<Step> {
    vec![shop("UPDATE_ROLLBACK_COMPLETE"), events(&two_operations())]
}

/// The resources of the printed lines.
fn paths(run: &Run) -> Vec<String> {
    let lines = run.out.lines().filter(|line| line.starts_with("2026"));
    lines.map(|line| line.split_whitespace().nth(3).unwrap_or_default().to_owned()).collect()
}

#[test]
fn the_last_operation_and_what_it_rolls_back() {
    let run = run("events", steps(), &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(run.out);
    assert_eq!(run.sent("DescribeStackEvents", "StackName"), STACK_ID);
}

#[test]
fn events_for_programs() {
    let run = run("events-json", steps(), &["--output", "json"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    insta::assert_snapshot!(run.out);
}

#[test]
fn events_are_chosen() {
    let all = run("events-all", steps(), &["--all"]);
    assert_eq!(paths(&all).len(), 10, "{}", all.out);
    let one = run("events-operation", steps(), &["--operation", "op-1"]);
    assert_eq!(paths(&one), ["shop", "Topic", "shop"]);
    let since = run("events-since", steps(), &["--since", "2026-01-31 10:00:20"]);
    assert_eq!(paths(&since), ["shop", "Topic", "shop"]);
    let resource = run("events-resource", steps(), &["--all", "--resource", "Topic"]);
    assert_eq!(paths(&resource), ["Topic", "Topic"]);
    let none = run("events-resource-none", steps(), &["--resource", "Nope"]);
    assert_eq!((none.status, none.err.as_str()), (0, "note: stack shop has no such events of Nope\n\n"));
    let never = run("events-never", vec![], &["--since", "sometime"]);
    assert!(never.status == 2 && never.err.contains("`sometime` is not a time"), "{}", never.err);
    let both = run("events-both", vec![], &["--all", "--since", "1h"]);
    assert_eq!(both.status, 2, "{}", both.err);
}

#[test]
fn an_operation_without_ids_begins_with_a_user() {
    let all: Vec<Event> = vec![
        Event::stack(1, "CREATE_IN_PROGRESS").because("User Initiated"),
        Event::stack(2, "CREATE_COMPLETE"),
        Event::stack(3, "UPDATE_IN_PROGRESS").because("User Initiated"),
        Event::of(4, "Topic", TOPIC, "SOME_NEW_STATUS"),
        Event::stack(5, "UPDATE_COMPLETE"),
    ];
    let run = run("events-no-ids", vec![shop("UPDATE_COMPLETE"), events(&all)], &[]);
    assert_eq!(paths(&run), ["shop", "Topic", "shop"]);
    assert!(run.out.contains("SOME_NEW_STATUS"), "{}", run.out);
}

#[test]
fn pages_that_repeat_end() {
    let page = || followed(events(&two_operations()[3..]), "2");
    let run = run("events-pages", vec![shop("X"), page(), page()], &["--all"]);
    assert_eq!((run.status, paths(&run).len()), (0, 7), "{}", run.out);
    assert!(run.err.contains("returns an incomplete listing"), "{}", run.err);
}

#[test]
fn nested_stacks_are_included() {
    let inner = |number, status: &str| Event::of(number, "Inner", NESTED, status).physical(NESTED_ID);
    let own =
        |number, status: &str| Event::of(number, "shop-Inner", NESTED, status).physical(NESTED_ID).inside(NESTED_ID);
    let root = of(
        "op-1",
        vec![
            Event::stack(1, "UPDATE_IN_PROGRESS").because("User Initiated"),
            inner(2, "UPDATE_IN_PROGRESS"),
            inner(6, "UPDATE_COMPLETE"),
            Event::stack(7, "UPDATE_COMPLETE"),
        ],
    );
    // Older than the operation.
    let inside = [
        own(0, "CREATE_COMPLETE"),
        own(3, "UPDATE_IN_PROGRESS"),
        Event::of(4, "Table", "AWS::DynamoDB::Table", "UPDATE_COMPLETE").inside(NESTED_ID),
        own(5, "UPDATE_COMPLETE"),
    ];
    let steps = || vec![shop("UPDATE_COMPLETE"), events(&root), events(&inside)];
    let all = run("events-nested", steps(), &[]);
    assert_eq!(paths(&all), ["shop", "Inner", "Inner", "Inner/Table", "Inner", "Inner", "shop"]);
    let one = run("events-nested-one", steps(), &["--resource", "Inner/Table"]);
    assert_eq!(paths(&one), ["Inner/Table"]);
    // A nested stack that is gone for long hides nothing of the root.
    let gone = fails("DescribeStackEvents", "ValidationError", "Stack [shop-Inner] does not exist");
    let run = run("events-nested-gone", vec![shop("UPDATE_COMPLETE"), events(&root), gone], &[]);
    assert_eq!((run.status, paths(&run).len()), (0, 4), "{}", run.err);
    assert!(run.err.contains("`Stack [shop-Inner] does not exist`"), "{}", run.err);
}

/// What early validation and hooks report, and a failure of a resource.
fn failures() -> Vec<Event> {
    vec![
        Event::of(11, "QueueUsers", QUEUE, "CREATE_FAILED").because("Resource creation cancelled"),
        Event::of(13, "QueueOrders", QUEUE, "CREATE_FAILED").because("already exists").with("OperationId", "op-2"),
        Event::of(30, "QueueOrders", QUEUE, "")
            .with("EventType", "VALIDATION_ERROR")
            .with("ValidationName", "PROPERTY_VALIDATION")
            .with("ValidationFailureMode", "FAIL")
            .with("ValidationStatus", "FAILED")
            .with("ValidationStatusReason", "Required property [X] not found")
            .with("ValidationPath", "/Resources/QueueOrders/Properties"),
        Event::of(31, "Topic", TOPIC, "CREATE_IN_PROGRESS")
            .with("HookType", "Private::Guard::TestHook")
            .with("HookStatus", "HOOK_COMPLETE_FAILED")
            .with("HookStatusReason", "not encrypted"),
    ]
}

#[test]
fn failures_alone_with_validations_and_hooks() {
    let steps = || [steps(), vec![failed_events(&failures())]].concat();
    let text = run("events-failed", steps(), &["--failed"]);
    assert_eq!((text.status, text.err.as_str()), (0, ""));
    insta::assert_snapshot!(text.out);
    assert_eq!(text.sent("DescribeEvents", "Filters.FailedEvents"), "true");
    assert_eq!(text.sent("DescribeEvents", "StackName"), STACK_ID);
    let json = run("events-failed-json", steps(), &["--failed", "--format", "json"]);
    let kinds = json.out.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")["kind"].clone());
    assert_eq!(kinds.collect::<Vec<_>>(), [json!("event"), json!("validation"), json!("hook")]);
    let one = run("events-failed-operation", steps(), &["--failed", "--operation", "op-2"]);
    assert_eq!((one.sent("DescribeEvents", "OperationId"), one.sent("DescribeEvents", "StackName")), ("op-2", ""));
}

#[test]
fn failures_without_the_call_are_those_of_resources() {
    let denied = fails("DescribeEvents", "AccessDenied", "not authorized to perform: cloudformation:DescribeEvents");
    let denied = run("events-failed-denied", [steps(), vec![denied]].concat(), &["--failed"]);
    assert_eq!((denied.status, paths(&denied)), (0, vec!["QueueOrders".to_owned()]));
    assert!(denied.err.contains("note: findings of early validation and of hooks are not known"), "{}", denied.err);
    assert!(denied.err.contains("help: allow cloudformation:DescribeEvents"), "{}", denied.err);
    for missing in
        [fails("DescribeEvents", "InvalidAction", "no such action"), foreign("DescribeEvents", 500, "<html>")]
    {
        let run = run("events-failed-old", [steps(), vec![missing]].concat(), &["--failed"]);
        assert_eq!((run.status, run.err.as_str(), paths(&run).len()), (0, "", 1));
    }
}

#[test]
fn an_operation_is_followed_to_its_end() {
    let begin = of("op-1", vec![Event::stack(1, "UPDATE_IN_PROGRESS").because("User Initiated")]);
    let ended = |status: &str| [begin.clone(), of("op-1", vec![Event::stack(3, status)])].concat();
    for (end, status) in [("UPDATE_COMPLETE", 0), ("UPDATE_ROLLBACK_COMPLETE", 1), ("UPDATE_FAILED", 1)] {
        let steps = vec![
            shop("UPDATE_IN_PROGRESS"),
            events(&begin),
            events(&begin),
            throttled("DescribeStackEvents"),
            events(&ended(end)),
        ];
        let run = run("events-follow", steps, &["--follow"]);
        assert_eq!((run.status, paths(&run).len()), (status, 2), "{end}: {}", run.err);
    }
    // What ended before is not waited for.
    for (end, status) in [("UPDATE_COMPLETE", 0), ("UPDATE_ROLLBACK_COMPLETE", 1)] {
        let run = run("events-follow-ended", vec![shop(end), events(&ended(end))], &["-f"]);
        assert_eq!((run.status, paths(&run).len()), (status, 2), "{end}: {}", run.err);
    }
    let failed = [
        begin.clone(),
        of("op-1", vec![Event::of(2, "Topic", TOPIC, "UPDATE_FAILED"), Event::stack(3, "UPDATE_FAILED")]),
    ]
    .concat();
    let run = run("events-follow-failed", vec![shop("X"), events(&begin), events(&failed)], &["-f", "--failed"]);
    assert_eq!((run.status, paths(&run)), (1, vec!["Topic".to_owned(), "shop".to_owned()]));
}

#[test]
fn following_ends_early() {
    let begin = of("op-1", vec![Event::stack(1, "DELETE_IN_PROGRESS").because("User Initiated")]);
    let steps = vec![shop("DELETE_IN_PROGRESS"), events(&begin), interrupted(events(&begin))];
    let stopped = run("events-ctrl-c", steps, &["--follow"]);
    assert_eq!(stopped.status, 130, "{}", stopped.err);
    assert!(stopped.err.contains("the operation continues in CloudFormation"), "{}", stopped.err);
    let absent = run("events-absent", vec![no_stack(), caller()], &[]);
    assert_eq!((absent.status, absent.out.as_str()), (1, ""), "{}", absent.err);
    let denied = fails("DescribeStackEvents", "AccessDenied", "not authorized");
    let denied = run("events-denied", vec![shop("X"), denied], &[]);
    assert_eq!((denied.status, denied.out.as_str()), (5, ""), "{}", denied.err);
}

#[test]
fn a_stack_without_events() {
    let run = run("events-none", vec![shop("X"), events(&[])], &["--format", "json"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", "note: stack shop has no such events\n\n"));
}
