//! `diagnose`: why a stack failed.
//!
//! Holds reference/around.md#diagnose.

use serde_json::{Value, json};

use super::answers::{Event, events, failed_events, fails, interrupted, no_stack, stack, stack_with};
use super::outputs::caller;
use super::program::{Case, Run};
use super::server::{Answer, Step};
use crate::schemas::schema::Schema;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";
const NESTED: &str = "AWS::CloudFormation::Stack";
const NESTED_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Inner/5e6f";

fn run(name: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    Case::new(name).run(steps, &[&["diagnose", "shop", "-t", "t.yaml"], words].concat())
}

fn rolled_back() -> Step {
    stack("UPDATE_ROLLBACK_COMPLETE", &[], &[])
}

/// An update in which a queue failed first, and another resource later.
fn update() -> Vec<Event> {
    let own = |event: Event| event.with("OperationId", "op-2");
    vec![
        own(Event::stack(10, "UPDATE_IN_PROGRESS").because("User Initiated")),
        own(Event::of(11, "QueueUsers", QUEUE, "CREATE_FAILED").because("Resource creation cancelled")),
        own(Event::of(12, "QueueOrders", QUEUE, "CREATE_FAILED").because("orders already exists")),
        own(Event::of(13, "Topic", TOPIC, "UPDATE_FAILED").because("Something \u{1b}[31m else")),
        own(Event::stack(14, "UPDATE_ROLLBACK_IN_PROGRESS").because("The following resource(s) failed")),
        own(Event::stack(15, "UPDATE_ROLLBACK_COMPLETE")),
    ]
}

/// The same as `DescribeEvents` lists what failed, with a rollback behind it.
fn reported() -> Step {
    let of = |event: Event, kind: &str| event.with("OperationType", kind).with("OperationStatus", "FAILED");
    let all: Vec<Event> = update().into_iter().skip(1).take(3).map(|event| of(event, "UPDATE_STACK")).collect();
    let rollback = Event::of(16, "Topic", TOPIC, "UPDATE_FAILED").because("rollback").with("OperationId", "op-3");
    failed_events(&[all, vec![of(rollback, "ROLLBACK")]].concat())
}

fn steps() -> Vec<Step> {
    vec![rolled_back(), events(&update()), reported()]
}

fn object(run: &Run) -> Value {
    let value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
    Schema::read("diagnosis.json").hold(&value, "diagnosis");
    value
}

#[test]
fn the_first_failure_at_its_line_and_what_failed_later() {
    let run = run("diagnose", steps(), &[]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    insta::assert_snapshot!(run.out);
    assert_eq!(run.sent("DescribeEvents", "Filters.FailedEvents"), "true");
}

#[test]
fn a_diagnosis_for_programs() {
    let run = run("diagnose-json", steps(), &["--output", "json"]);
    assert_eq!((run.status, run.err.as_str()), (1, ""));
    let value = object(&run);
    insta::assert_snapshot!(run.out);
    assert_eq!(value["Operation"], json!({"id": "op-2", "type": "UPDATE_STACK", "status": "FAILED"}));
}

#[test]
fn without_the_new_call_the_events_of_the_stack_tell() {
    let denied = fails("DescribeEvents", "AccessDenied", "not authorized to perform: cloudformation:DescribeEvents");
    let steps = vec![rolled_back(), events(&update()), denied];
    let denied = run("diagnose-denied", steps, &["--format", "json"]);
    let value = object(&denied);
    assert_eq!((denied.status, &value["Cause"]["logical_id"]), (1, &json!("QueueOrders")));
    assert_eq!(value["Operation"]["type"], "UPDATE_STACK");
    let old = fails("DescribeEvents", "InvalidAction", "no");
    let old = run("diagnose-old", vec![rolled_back(), events(&update()), old], &[]);
    assert!(old.status == 1 && old.err.is_empty() && old.out.contains("`orders already exists`"), "{}", old.out);
}

#[test]
fn the_cause_is_in_the_deepest_nested_stack() {
    let root = vec![
        Event::stack(1, "CREATE_IN_PROGRESS").because("User Initiated"),
        Event::of(2, "Inner", NESTED, "CREATE_IN_PROGRESS").physical(NESTED_ID),
        Event::of(5, "Inner", NESTED, "CREATE_FAILED").physical(NESTED_ID).because("Embedded stack was not created"),
        Event::stack(6, "ROLLBACK_IN_PROGRESS"),
        Event::stack(7, "ROLLBACK_COMPLETE"),
    ];
    let inside = [
        Event::of(3, "shop-Inner", NESTED, "CREATE_IN_PROGRESS").physical(NESTED_ID).inside(NESTED_ID),
        Event::of(4, "Table", "AWS::DynamoDB::Table", "CREATE_FAILED").inside(NESTED_ID).because("limit exceeded"),
    ];
    let old = || fails("DescribeEvents", "InvalidAction", "no");
    let steps = vec![stack("ROLLBACK_COMPLETE", &[], &[]), events(&root), events(&inside), old()];
    let run = run("diagnose-nested", steps, &["--format", "json"]);
    let value = object(&run);
    assert_eq!((&value["Cause"]["path"], &value["Cause"]["logical_id"]), (&json!(["Inner"]), &json!("Table")));
    assert!(value["Hint"].as_str().is_some_and(|hint| hint.contains("quota")), "{value:#}");
}

#[test]
fn findings_of_early_validation_are_the_cause() {
    let finding = Event::of(12, "QueueOrders", QUEUE, "")
        .with("OperationId", "op-2")
        .with("OperationType", "UPDATE_STACK")
        .with("OperationStatus", "FAILED")
        .with("EventType", "VALIDATION_ERROR")
        .with("ValidationName", "PROPERTY_VALIDATION")
        .with("ValidationFailureMode", "FAIL")
        .with("ValidationStatus", "FAILED")
        .with("ValidationStatusReason", "Required property [X] not found")
        .with("ValidationPath", "/Resources/QueueOrders/Properties");
    let steps = || vec![rolled_back(), events(&update()), failed_events(std::slice::from_ref(&finding))];
    let text = run("diagnose-validation", steps(), &[]);
    assert_eq!(text.status, 1, "{}", text.err);
    insta::assert_snapshot!(text.out);
    let json = run("diagnose-validation-json", steps(), &["--format", "json"]);
    let value = object(&json);
    assert_eq!(value["Validations"][0]["name"], "PROPERTY_VALIDATION");
    assert_eq!(value["Cause"]["reason"], "Required property [X] not found");
    // Without a template nothing is lost but the line.
    let without = Case::new("diagnose-no-template").run(steps(), &["diagnose", "shop"]);
    assert!(without.status == 1 && without.out.contains("`Required property [X] not found`"), "{}", without.out);
}

fn change_sets(sets: &[(&str, &str, &str)]) -> Step {
    let member = |(name, status, reason): &(&str, &str, &str)| {
        format!(
            "<member><ChangeSetId>arn:{name}</ChangeSetId><Status>{status}</Status><StatusReason>{reason}</StatusReason>\
             <CreationTime>2026-01-31T09:00:0{name}Z</CreationTime></member>"
        )
    };
    let members: String = sets.iter().map(member).collect();
    Step { action: "ListChangeSets", answer: Answer::Result(format!("<Summaries>{members}</Summaries>")) }
}

#[test]
fn the_newest_change_set_that_failed() {
    const HOOK: &str = "The following hook(s) failed: [Private::Guard::TestHook]";
    let sets = || {
        change_sets(&[
            ("1", "FAILED", "old"),
            ("2", "FAILED", HOOK),
            ("3", "FAILED", "The submitted information didn't contain changes."),
            ("4", "CREATE_COMPLETE", ""),
        ])
    };
    let old = |action| fails(action, "InvalidAction", "no");
    let steps = || vec![stack("UPDATE_COMPLETE", &[], &[]), sets(), old("DescribeEvents"), old("ListHookResults")];
    let text = run("diagnose-change-set", steps(), &[]);
    assert_eq!((text.status, text.err.as_str()), (1, ""));
    insta::assert_snapshot!(text.out);
    assert_eq!(text.sent("DescribeEvents", "ChangeSetName"), "arn:2");
    let json = run("diagnose-change-set-json", steps(), &["--format", "json"]);
    assert_eq!(object(&json)["Operation"], json!({"id": "arn:2", "type": "CREATE_CHANGESET", "status": "FAILED"}));
}

#[test]
fn no_failure_is_found() {
    let steps = || vec![stack("UPDATE_COMPLETE", &[], &[]), change_sets(&[("1", "CREATE_COMPLETE", "")])];
    let text = run("diagnose-none", steps(), &[]);
    assert_eq!(
        (text.status, text.out.as_str(), text.err.as_str()),
        (0, "no failure found: stack shop is in UPDATE_COMPLETE\n", "")
    );
    let json = run("diagnose-none-json", steps(), &["--format", "json"]);
    assert_eq!((json.status, &object(&json)["Cause"], &object(&json)["Operation"]), (0, &Value::Null, &Value::Null));
    let denied = fails("ListChangeSets", "AccessDenied", "no");
    let denied = run("diagnose-none-denied", vec![stack("UPDATE_COMPLETE", &[], &[]), denied], &[]);
    assert!(denied.status == 0 && denied.out.contains("which change sets failed is not known"), "{}", denied.out);
}

#[test]
fn hints_name_what_is_meant() {
    let hint = |name: &str, first: Step, reason: &str| {
        let failed = vec![
            Event::stack(1, "UPDATE_IN_PROGRESS").because("User Initiated"),
            Event::of(2, "Notice", "Custom::Notice", "UPDATE_FAILED").because(reason),
            Event::stack(3, "UPDATE_FAILED"),
        ];
        let template = "Resources:\n  Notice: {Type: Custom::Notice, Properties: {ServiceToken: !GetAtt Notify.Arn}}\n  Notify: {Type: AWS::Lambda::Function, Properties: {Handler: a.b, Role: r, Runtime: python3.13, Code: {ZipFile: x}}}\n";
        let old = fails("DescribeEvents", "InvalidAction", "no");
        let case = Case::new(name).with("template.yaml", template);
        let run = case.run(vec![first, events(&failed), old], &["diagnose", "shop", "--format", "json"]);
        object(&run)["Hint"].as_str().unwrap_or_default().to_owned()
    };
    let plain = || stack("UPDATE_FAILED", &[], &[]);
    let reason = "Received response status [FAILED] from custom resource. See CloudWatch Log Stream: 2026/[$LATEST]a";
    assert!(hint("diagnose-custom", plain(), reason).contains("`formwork logs shop -n Notify`"));
    let reason = "User x is not authorized to perform: s3:CreateBucket on resource y";
    assert!(hint("diagnose-caller", plain(), reason).contains("s3:CreateBucket to the credentials that deploy"));
    let role = stack_with("UPDATE_FAILED", "<RoleARN>arn:aws:iam::1:role/deploy</RoleARN>");
    assert!(hint("diagnose-role", role, reason).contains("arn:aws:iam::1:role/deploy"));
    assert_eq!(hint("diagnose-unknown", plain(), "Something new"), "");
}

#[test]
fn what_cannot_be_diagnosed() {
    let busy = run("diagnose-busy", vec![stack("UPDATE_IN_PROGRESS", &[], &[])], &[]);
    assert_eq!((busy.status, busy.out.as_str()), (1, ""));
    assert!(busy.err.contains("`formwork events shop --follow`"), "{}", busy.err);
    let absent = run("diagnose-absent", vec![no_stack(), caller()], &[]);
    assert_eq!(absent.status, 1, "{}", absent.err);
    let denied = fails("DescribeStackEvents", "AccessDenied", "no");
    let denied = run("diagnose-events-denied", vec![rolled_back(), denied], &[]);
    assert_eq!(denied.status, 5, "{}", denied.err);
    let stopped = run("diagnose-ctrl-c", vec![rolled_back(), interrupted(events(&update()))], &[]);
    assert_eq!((stopped.status, stopped.out.as_str()), (130, ""), "{}", stopped.err);
}
