//! A change set that was made earlier is executed.
//!
//! Holds reference/deploy.md#execute-later.

use super::answers::{
    Change, Event, Finding, SET_ID, change_set, created, done, events, existing, fails_with, followed, no_stack,
    operation_events, ready, stack,
};
use super::program::{Case, Run};
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";

fn changes() -> Vec<Change> {
    vec![Change::new("Add", "QueueOrders", QUEUE), Change::new("Remove", "Old", TOPIC)]
}

fn available(elements: &str) -> Step {
    existing("CREATE_COMPLETE", "AVAILABLE", elements, &changes())
}

fn executed() -> Vec<Step> {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    vec![
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, Event::stack(8, "UPDATE_IN_PROGRESS"), Event::stack(9, "UPDATE_COMPLETE")]),
        stack("UPDATE_COMPLETE", &[], &[("TopicName", "shop-topic")]),
    ]
}

/// Executes a change set in a directory whose template nobody finds.
fn run(name: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    let all = ["deploy", "--execute-change-set", SET_ID, "--poll-delay", "0.02"];
    Case::new(name).run(steps, &[&all, words].concat())
}

#[test]
fn no_template_is_needed() {
    let steps = [vec![available(""), operation_events(&[])], executed()].concat();
    let done = run("execute", steps, &["--format", "json"]);
    insta::assert_snapshot!(done.all());
}

#[test]
fn lines_are_those_of_a_template_whose_resources_fit() {
    let steps = || [vec![followed(available(""), "2"), available("")], executed()].concat();
    let with = run("execute-lines", steps(), &["-t", "t.yaml"]);
    assert!(with.status == 0 && with.err.contains("t.yaml:11 [Name=Orders]"), "{}", with.err);
    let other = "Resources: {Other: {Type: 'AWS::SNS::Topic'}}\n";
    let case = Case::new("execute-other").with("template.yaml", other);
    let words = ["deploy", "--execute-change-set", SET_ID, "--poll-delay", "0.02", "-v"];
    let without = case.run(steps(), &words);
    assert!(without.status == 0 && without.err.contains("is not one of template.yaml"), "{}", without.err);
    assert!(!without.err.contains("template.yaml:1"), "{}", without.err);
}

#[test]
fn lines_of_nested_stacks_are_those_of_their_templates() {
    const NESTED: &str = "arn:aws:cloudformation:eu-west-1:111122223333:changeSet/nested/5e6f";
    let network = Change::new("Modify", "Network", "AWS::CloudFormation::Stack").with("ChangeSetId", NESTED);
    let elements = "<IncludeNestedStacks>true</IncludeNestedStacks>";
    let steps = [
        vec![
            existing("CREATE_COMPLETE", "AVAILABLE", elements, &[network]),
            existing("CREATE_COMPLETE", "AVAILABLE", "", &[Change::new("Add", "Table", QUEUE)]),
        ],
        executed(),
    ]
    .concat();
    let parent =
        "Resources:\n  Network:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: net.yaml}\n";
    let case = Case::new("execute-nested")
        .with("t.yaml", parent)
        .with("net.yaml", "# Here.\nResources:\n  Table: {Type: AWS::SQS::Queue}\n");
    let words = ["deploy", "--execute-change-set", SET_ID, "--poll-delay", "0.02", "-t", "t.yaml"];
    let run = case.run(steps, &words);
    assert!(run.status == 0 && run.err.contains("net.yaml:3") && run.err.contains("t.yaml:2"), "{}", run.err);
}

#[test]
fn a_name_needs_its_stack() {
    let case = Case::new("execute-name");
    let words = ["deploy", "--execute-change-set", "release-7", "--poll-delay", "0.02"];
    let alone = case.run(vec![], &words);
    assert!(alone.status == 2 && alone.err.contains("pass its ARN, or `--stack-name NAME`"), "{}", alone.err);
    let steps = [vec![available("")], executed()].concat();
    let both = case.run(steps, &[&words[..], &["--stack-name", "shop"]].concat());
    assert_eq!((both.status, both.sent("DescribeChangeSet", "StackName")), (0, "shop"), "{}", both.err);
    assert_eq!(both.sent("ExecuteChangeSet", "ChangeSetName"), SET_ID);
    let wrong = case.run(vec![], &["deploy", "--execute-change-set", "a_b", "--stack-name", "shop"]);
    assert!(wrong.status == 2 && wrong.err.contains("cannot be the name of a change set"), "{}", wrong.err);
}

#[test]
fn rollback_is_the_matter_of_a_change_set_that_has_settings_for_it() {
    let words = ["--disable-rollback"];
    let sent = |elements: &str| {
        let run = run("execute-rollback", [vec![available(elements)], executed()].concat(), &words);
        assert_eq!(run.status, 0, "{}", run.err);
        run.sent("ExecuteChangeSet", "DisableRollback").to_owned()
    };
    assert_eq!(sent(""), "true");
    assert_eq!(sent("<DeploymentConfig><Mode>EXPRESS</Mode></DeploymentConfig>"), "");
    assert_eq!(sent("<OnStackFailure>ROLLBACK</OnStackFailure>"), "");
    let express = "<DeploymentConfig><Mode>EXPRESS</Mode><DisableRollback>false</DisableRollback></DeploymentConfig>";
    let run = run("execute-express", [vec![available(express)], executed()].concat(), &["--format", "json"]);
    assert!(run.out.contains("\"Express\": true"), "{}", run.out);
}

#[test]
fn a_replacement_that_cannot_be_is_not_executed_and_not_deleted() {
    let set = existing(
        "CREATE_COMPLETE",
        "AVAILABLE",
        "<OnStackFailure>DO_NOTHING</OnStackFailure>",
        &[Change::new("Modify", "Topic", TOPIC).replaced("True", "TopicName")],
    );
    let run = run("execute-replaced", vec![set], &["--yes"]);
    assert!(run.status == 1 && run.err.contains("error[FW1304]: Topic is replaced"), "{}", run.err);
    assert!(run.err.contains("the change set is left unexecuted"), "{}", run.err);
}

#[test]
fn every_state_has_its_end() {
    let pending = vec![
        existing("CREATE_PENDING", "UNAVAILABLE", "", &[]),
        existing("CREATE_IN_PROGRESS", "UNAVAILABLE", "", &[]),
        available(""),
    ];
    assert_eq!(run("execute-pending", [pending, executed()].concat(), &[]).status, 0);
    let done = run("execute-done", vec![existing("CREATE_COMPLETE", "EXECUTE_COMPLETE", "", &[])], &[]);
    insta::assert_snapshot!(done.told());
    let running = || existing("CREATE_COMPLETE", "EXECUTE_IN_PROGRESS", "", &[]);
    insta::assert_snapshot!(run("execute-running", vec![running()], &[]).told());
    for (end, status) in [("UPDATE_COMPLETE", 0), ("UPDATE_ROLLBACK_COMPLETE", 1)] {
        let before = Event::stack(7, "UPDATE_IN_PROGRESS");
        let steps = [
            running(),
            events(std::slice::from_ref(&before)),
            stack(end, &[], &[]),
            events(&[before.clone(), Event::stack(9, end)]),
        ];
        let outputs = if status == 0 { vec![stack(end, &[], &[])] } else { Vec::new() };
        let run = run("execute-wait", [&steps[..], &outputs].concat(), &["--wait"]);
        assert!(run.status == status && run.err.contains(end), "{}", run.err);
    }
    let found = Finding::new(1, "/Resources/QueueOrders", "No.").of("X", "FAIL");
    let mut failed = change_set("FAILED", "The following hook(s)/validation failed: [X].", &[]);
    if let super::server::Answer::Result(xml) = &mut failed.answer {
        *xml += "<ExecutionStatus>UNAVAILABLE</ExecutionStatus>";
    }
    let failed = run("execute-failed", vec![failed, operation_events(&[found])], &["-t", "t.yaml"]);
    insta::assert_snapshot!(failed.told());
    for state in ["OBSOLETE", "UNAVAILABLE", "EXECUTE_FAILED"] {
        let run = run("execute-never", vec![existing("CREATE_COMPLETE", state, "", &[])], &["--yes"]);
        assert!(run.status == 1 && run.err.contains(&format!("it is in CREATE_COMPLETE, {state}")), "{}", run.err);
    }
    let missing = fails_with("DescribeChangeSet", 404, "ChangeSetNotFound", "ChangeSet [x] does not exist");
    insta::assert_snapshot!(run("execute-missing", vec![missing], &[]).told());
}

#[test]
fn data_is_lost_by_a_clear_word_alone() {
    let lost = [Change::new("Remove", "Logs", "AWS::S3::Bucket")];
    let set = || existing("CREATE_COMPLETE", "AVAILABLE", "", &lost);
    let refused = run("execute-data", vec![set()], &[]);
    assert!(refused.status == 2 && refused.err.contains("data may be lost: Logs"), "{}", refused.err);
    assert_eq!(run("execute-data-yes", [vec![set()], executed()].concat(), &["--yes"]).status, 0);
    let asks = run("execute-confirm", vec![], &["--confirm-changeset"]);
    assert_eq!(asks.status, 2, "{}", asks.err);
}

#[test]
fn what_shapes_a_change_set_is_refused() {
    for words in [
        &["--parameter-overrides", "A=b"][..],
        &["--parameters-file", "p.json"],
        &["--capabilities", "CAPABILITY_IAM"],
        &["--tags", "a=b"],
        &["--role-arn", "arn:aws:iam::111122223333:role/deploy"],
        &["--notification-arns", "arn:aws:sns:eu-west-1:111122223333:news"],
        &["--change-set-name", "x"],
        &["--change-set-type", "create"],
        &["--description", "x"],
        &["--express"],
        &["--disable-validation"],
        &["--s3-bucket", "x"],
        &["--s3-prefix", "x"],
        &["--resolve-s3"],
        &["--expand"],
        &["--guided"],
        &["--no-execute"],
    ] {
        let run = run("execute-refused", vec![], words);
        assert_eq!(run.status, 2, "{words:?}: {}", run.err);
    }
}

#[test]
fn a_change_set_that_is_left_names_the_command() {
    let steps = vec![no_stack(), created(), ready(&changes())];
    let run = Case::new("execute-later").deploy(steps, &["--no-execute", "--format", "json"]);
    let command = format!("Execute it with: formwork deploy --execute-change-set {SET_ID}\n");
    assert!(run.err.contains(&command), "{}", run.err);
    assert!(run.out.contains("\"Result\": \"not-executed\"") && run.out.contains(SET_ID), "{}", run.out);
}
