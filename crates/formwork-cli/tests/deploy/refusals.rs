//! What CloudFormation rejects, and calls that are not answered.
//!
//! Holds reference/deploy.md#refusals.

use super::answers::{
    Change, Event, breaks, change_set, created, done, events, fails, no_stack, ready, stack, summary,
};
use super::program::Case;
use super::server::Step;

fn create_until(last: Step) -> Vec<Step> {
    vec![no_stack(), last]
}

#[test]
fn a_change_set_that_is_refused() {
    let sentences = [
        "Template format error: Unresolved resource dependencies [QueueUsers] in the Resources block of the template",
        "[/Resources/Topic/Properties] 'null' values are not allowed in templates",
        "Requires capabilities : [CAPABILITY_NAMED_IAM]",
        "Template error: Unable to get mapping for SAMCodeUri::x::CodeUri",
        "TemplateURL must be a supported URL.",
    ];
    let mut told = String::new();
    for sentence in sentences {
        let steps = create_until(fails("CreateChangeSet", "ValidationError", sentence));
        let run = Case::new("refused-set").deploy(steps, &[]);
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{}", run.err);
        told += &run.err;
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_change_set_that_fails() {
    let reason = "Transform AWS::Serverless-2016-10-31 failed with: Invalid Serverless Application Specification document. Number of errors found: 1. Resource with id [QueueOrders] is invalid.";
    let steps = vec![no_stack(), created(), change_set("FAILED", reason, &[]), done("DeleteChangeSet")];
    insta::assert_snapshot!(Case::new("failed-set").deploy(steps, &[]).told());
}

#[test]
fn an_execution_that_is_refused() {
    let refused =
        fails("ExecuteChangeSet", "InvalidChangeSetStatus", "ChangeSet cannot be executed in its current state");
    let steps = vec![no_stack(), created(), ready(&[]), events(&[]), refused, done("DeleteChangeSet")];
    insta::assert_snapshot!(Case::new("execute").deploy(steps, &[]).told());
}

#[test]
fn not_permitted() {
    let denied = "User: arn:aws:iam::111122223333:user/ann is not authorized to perform: cloudformation:DescribeStacks";
    let mut told = String::new();
    for (code, message) in [
        ("AccessDenied", denied),
        ("ExpiredToken", "The security token included in the request is expired"),
        ("InvalidClientTokenId", "The security token included in the request is invalid."),
    ] {
        let run = Case::new("denied").deploy(vec![fails("DescribeStacks", code, message)], &[]);
        assert_eq!((run.status, run.out.as_str()), (5, ""), "{}", run.err);
        told += &run.err;
    }
    let case = Case::new("nobody").env("AWS_ACCESS_KEY_ID", "").env("AWS_SECRET_ACCESS_KEY", "");
    let run = case.deploy(vec![], &[]);
    assert_eq!(run.status, 5, "{}", run.err);
    told += &run.err;
    let run = Case::new("nowhere").env("AWS_REGION", "").deploy(vec![], &[]);
    assert_eq!(run.status, 2, "{}", run.err);
    told += &run.err;
    insta::assert_snapshot!(told);
}

#[test]
fn credentials_that_expire_on_the_way() {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let steps = vec![
        no_stack(),
        created(),
        ready(&[]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, Event::stack(1, "CREATE_IN_PROGRESS")]),
        fails("DescribeStackEvents", "ExpiredToken", "The security token included in the request is expired"),
    ];
    insta::assert_snapshot!(Case::new("expired").deploy(steps, &[]).told());
}

#[test]
fn looks_that_fail_end_nothing() {
    let before = Event::stack(0, "UPDATE_COMPLETE");
    let begun = [before.clone(), Event::stack(1, "UPDATE_IN_PROGRESS")];
    let done_all = [begun.to_vec(), vec![Event::stack(2, "UPDATE_COMPLETE")]].concat();
    let throttled = |action| fails(action, "Throttling", "Rate exceeded");
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        summary(&["Stage"]),
        created(),
        fails("DescribeChangeSet", "ChangeSetNotFound", "ChangeSet [set] does not exist"),
        throttled("DescribeChangeSet"),
        ready(&[Change::new("Modify", "Topic", "AWS::SNS::Topic").replaced("False", "Tags")]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        throttled("DescribeStackEvents"),
        throttled("DescribeStackEvents"),
        events(&begun),
        breaks("DescribeStackEvents"),
        fails("DescribeStackEvents", "InternalFailure", "We are sorry"),
        events(&done_all),
        stack("UPDATE_COMPLETE", &[], &[]),
    ];
    insta::assert_snapshot!(Case::new("throttled").deploy(steps, &[]).told());
}

#[test]
fn capabilities_are_named_before_the_service_asks() {
    let template = "Resources:
  Reader: {Type: AWS::IAM::Role, Properties: {AssumeRolePolicyDocument: {}}}
  Writer: {Type: AWS::IAM::Role, Properties: {RoleName: writer, AssumeRolePolicyDocument: {}}}
";
    let steps = || vec![no_stack(), created(), ready(&[])];
    let case = Case::new("capabilities").with("t.yaml", template);
    insta::assert_snapshot!(case.deploy(steps(), &["--no-execute"]).told());
    let refused =
        fails("CreateChangeSet", "InsufficientCapabilitiesException", "Requires capabilities : [CAPABILITY_NAMED_IAM]");
    insta::assert_snapshot!(case.deploy(vec![no_stack(), refused], &["--capabilities", "CAPABILITY_IAM"]).told());
    let run = case.deploy(steps(), &["--no-execute", "--capabilities", "CAPABILITY_NAMED_IAM"]);
    assert!(!run.err.contains("acknowledged"), "{}", run.err);
    let run = case.deploy(steps(), &["--no-execute", "--capabilities", "CAPABILITY_IAM"]);
    assert!(run.err.contains("CAPABILITY_NAMED_IAM is not acknowledged: Writer"), "{}", run.err);
}

#[test]
fn arguments_that_mean_nothing() {
    let mut told = String::new();
    for words in [
        &["deploy", "t.yaml"][..],
        &["deploy", "t.yaml", "--stack-name", "shop", "--tags", "novalue"],
        &["deploy", "t.yaml", "--stack-name", "shop", "--offline"],
        &["deploy", "t.yaml", "--stack-name", "shop", "--poll-delay", "0"],
        &["deploy", "t.yaml", "--stack-name", "shop", "--disable-rollback", "--on-failure", "delete"],
        &["deploy", "t.yaml", "--stack-name", "shop", "--record-account", "a.json"],
        &["deploy", "none.yaml", "--stack-name", "shop"],
    ] {
        let run = Case::new("usage").run(vec![], words);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{words:?}: {}", run.err);
        told += &run.err;
    }
    insta::assert_snapshot!(told);
}
