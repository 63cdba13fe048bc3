//! `validate`: the checks of `check`, and with `--live` the service's.
//!
//! Holds reference/deploy.md#validate.

use super::answers::{fails, validated};
use super::program::{Case, TEMPLATE};

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
