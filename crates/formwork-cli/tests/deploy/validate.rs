//! `validate`: the checks of `check`, and with `--live` the service's.
//!
//! Holds reference/deploy.md#validate.

use super::answers::{
    Change, Finding, change_set, created, done, events, fails, interrupted, no_stack, operation_events, ready, stack,
    summary, validated,
};
use super::program::{Case, TEMPLATE};
use super::server::Step;

#[test]
fn without_live_nothing_is_asked() {
    let case = Case::new("local");
    let run = case.run(vec![], &["validate", "t.yaml"]);
    assert_eq!((run.status, run.out.as_str(), run.err.as_str()), (0, "", ""));
    let case = case.with("bad.yaml", "Resources: {Topic: {Type: 'AWS::SNS::Topic', Properties: {X: !Ref None}}}\n");
    let run = case.run(vec![], &["validate", "t.yaml", "bad.yaml"]);
    let check = case.run(vec![], &["check", "t.yaml", "bad.yaml"]);
    assert!(!run.out.is_empty());
    assert_eq!((run.status, &run.out), (1, &check.out));
}

#[test]
fn the_service_sees_the_expanded_template() {
    let steps =
        vec![validated(&["CAPABILITY_IAM"], "The following resource(s) require capabilities: [AWS::IAM::Role]")];
    let run = Case::new("live").run(steps, &["validate", "t.yaml", "--live"]);
    insta::assert_snapshot!(run.told());
    let body = run.sent("ValidateTemplate", "TemplateBody");
    assert!(body.contains("QueueOrders") && !body.contains("ForEach"), "{body}");
}

#[test]
fn what_the_service_refuses() {
    let sentence = "Template format error: Unresolved resource dependencies [QueueOrders] in the Outputs block";
    let steps = vec![fails("ValidateTemplate", "ValidationError", sentence)];
    insta::assert_snapshot!(Case::new("refused-live").run(steps, &["validate", "t.yaml", "--live"]).told());
    let steps = vec![fails("ValidateTemplate", "ExpiredToken", "The token has expired")];
    assert_eq!(Case::new("expired-live").run(steps, &["validate", "t.yaml", "--live"]).status, 2);
}

#[test]
fn errors_of_the_template_are_not_asked_about() {
    let case = Case::new("bad-live").with("t.yaml", "Resources: {}\n");
    assert_eq!(case.run(vec![], &["validate", "t.yaml", "--live"]).status, 1);
}

#[test]
fn too_large_without_a_bucket() {
    use std::fmt::Write as _;
    let mut large = TEMPLATE.replace("Outputs:", "Metadata:\n  A: b\nOutputs:");
    let _ = writeln!(large, "  Filler: {{Value: x, Description: d}}");
    let mut lines = String::new();
    for number in 0..200 {
        let _ = writeln!(lines, "  T{number}: {{Type: 'AWS::SNS::Topic', Metadata: {{F: {}}}}}", "x".repeat(300));
    }
    let large = large.replace("  Topic:\n", &format!("{lines}  Topic:\n"));
    let run = Case::new("large-live").with("t.yaml", &large).run(vec![], &["validate", "t.yaml", "--live"]);
    assert_eq!(run.status, 1, "{}", run.err);
    insta::assert_snapshot!(run.out.rsplit_once("error:").map_or("", |(_, last)| last));
}

const WORDS: [&str; 5] = ["validate", "t.yaml", "--change-set", "--stack-name", "shop"];

fn finding(mode: &str) -> Finding {
    Finding::new(1, "/Resources/QueueOrders", "It is not right.").of("PROPERTY_VALIDATION", mode)
}

/// What removes the stack that a change set created.
fn removed() -> Vec<Step> {
    vec![done("DeleteChangeSet"), stack("REVIEW_IN_PROGRESS", &[], &[]), events(&[]), done("DeleteStack")]
}

#[test]
fn a_change_set_is_validated_and_nothing_is_left() {
    let failed = || {
        let set = change_set("FAILED", "The following hook(s)/validation failed: [X].", &[]);
        [vec![no_stack(), created(), set, operation_events(&[finding("FAIL")])], removed()].concat()
    };
    let run = Case::new("validate-set").run(failed(), &WORDS);
    insta::assert_snapshot!(run.all());
    let run = Case::new("validate-set-json").run(failed(), &[&WORDS[..], &["--message-format", "json"]].concat());
    assert!(run.status == 1 && run.out.starts_with("{\"validation\":"), "{}\n{}", run.out, run.err);
    let run = Case::new("validate-set-sarif").run(failed(), &[&WORDS[..], &["--message-format", "sarif"]].concat());
    assert!(run.status == 1 && run.out.contains("\"FW1301\""), "{}\n{}", run.out, run.err);
}

#[test]
fn warnings_and_nothing_at_all_are_fine() {
    let add = || [Change::new("Add", "QueueOrders", "AWS::SQS::Queue")];
    let warned = [vec![no_stack(), created(), ready(&add()), operation_events(&[finding("WARN")])], removed()].concat();
    let run = Case::new("validate-set-warn").run(warned, &WORDS);
    assert!(run.status == 0 && run.out.contains("warning[FW1302]"), "{}\n{}", run.out, run.err);
    assert!(!run.err.contains("Operation"), "{}", run.err);
    // The stack of somebody else stays.
    let there = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        summary(&[]),
        created(),
        ready(&add()),
        operation_events(&[]),
        done("DeleteChangeSet"),
    ];
    let run = Case::new("validate-set-update").run(there, &WORDS);
    assert_eq!((run.status, run.sent("CreateChangeSet", "ChangeSetType")), (0, "UPDATE"), "{}", run.err);
    let review = vec![
        stack("REVIEW_IN_PROGRESS", &[], &[]),
        created(),
        ready(&add()),
        operation_events(&[]),
        done("DeleteChangeSet"),
    ];
    assert_eq!(Case::new("validate-set-review").run(review, &WORDS).status, 0);
}

#[test]
fn ctrl_c_leaves_nothing() {
    let steps =
        [vec![no_stack(), created(), interrupted(change_set("CREATE_IN_PROGRESS", "", &[]))], removed()].concat();
    let run = Case::new("validate-set-interrupt").run(steps, &WORDS);
    assert_eq!(run.status, 130, "{}", run.err);
}

#[test]
fn a_change_set_needs_its_stack_and_one_template() {
    let case = Case::new("validate-set-usage");
    assert_eq!(case.run(vec![], &["validate", "t.yaml", "--change-set"]).status, 2);
    let words = ["validate", "t.yaml", "u.yaml", "--change-set", "--stack-name", "shop"];
    assert_eq!(case.run(vec![], &words).status, 2);
}
