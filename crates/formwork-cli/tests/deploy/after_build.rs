//! After `build`, places are those of the authored files.
//!
//! Holds reference/build.md#places.

use super::answers::{Change, Event, created, done, events, no_stack, ready, resources, stack};
use super::program::{Case, Run};
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";
const NESTED: &str = "AWS::CloudFormation::Stack";
const NESTED_ID: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Inner/5e6f";

/// A module moves the lines of the built template.
const TEMPLATE: &str = "# A shop.
Transform: AWS::LanguageExtensions
Modules:
  First:
    Source: ./library/queue.yaml
Parameters:
  Key: {Type: String, NoEcho: true, Default: never-to-be-seen}
Resources:
  Fn::ForEach::Topics:
    - Name
    - [Orders, Users]
    - Topic${Name}:
        Type: AWS::SNS::Topic
";

const INNER: &str = "  Inner:
    Type: AWS::CloudFormation::Stack
    Properties: {TemplateURL: nested/inner.yaml}
";

fn case(name: &str, template: &str) -> Case {
    let case = Case::new(name)
        .with("template.yaml", template)
        .with("library/queue.yaml", "Resources:\n  Queue:\n    Type: AWS::SQS::Queue\n")
        .with("nested/inner.yaml", "Resources:\n  # A table.\n  Table: {Type: AWS::DynamoDB::Table}\n");
    let built = case.run(vec![], &["build"]);
    assert_eq!(built.status, 0, "{}", built.err);
    let lines = |text: &str| text.lines().position(|line| line.contains("Topic${Name}"));
    assert_ne!(lines(&case.read(".formwork/build/template.yaml")), lines(template), "the lines are others");
    case
}

fn deployed() -> Vec<Step> {
    vec![
        stack("CREATE_COMPLETE", &[], &[]),
        resources(&[("FirstQueue", QUEUE, "q"), ("TopicUsers", TOPIC, "t"), ("Inner", NESTED, NESTED_ID)]),
        resources(&[("Table", "AWS::DynamoDB::Table", "inner-table")]),
    ]
}

fn listed(case: &Case, words: &[&str]) -> Run {
    case.run(deployed(), &[&["list", "resources", "shop"], words].concat())
}

#[test]
fn resources_have_the_lines_that_people_wrote() {
    let case = case("after-build", &format!("{TEMPLATE}{INNER}"));
    for words in [&[][..], &["-t", ".formwork/build/template.yaml"]] {
        let run = listed(&case, words);
        assert_eq!((run.status, run.err.as_str()), (0, ""));
        let sources: Vec<&str> =
            run.out.lines().skip(1).map(|line| &line[line.rfind("  ").unwrap_or(0) + 2..]).collect();
        assert_eq!(
            sources,
            ["library/queue.yaml:2", "template.yaml:12 [Name=Users]", "template.yaml:14", "nested/inner.yaml:3"]
        );
    }
}

/// A deployment of the built template that fails.
fn failing() -> Vec<Step> {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let failed = [
        before.clone(),
        Event::stack(1, "CREATE_IN_PROGRESS").because("User Initiated"),
        Event::of(2, "TopicUsers", TOPIC, "CREATE_FAILED").because("topic already exists"),
        Event::stack(3, "ROLLBACK_COMPLETE"),
    ];
    vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "TopicUsers", TOPIC), Change::new("Add", "FirstQueue", QUEUE)]),
        events(&[before]),
        done("ExecuteChangeSet"),
        events(&failed),
    ]
}

#[test]
fn a_deployment_reviews_and_fails_at_the_lines_that_people_wrote() {
    let run = case("after-build-deploy", TEMPLATE)
        .run(failing(), &["deploy", "--stack-name", "shop", "--poll-delay", "0.02"]);
    assert_eq!(run.status, 1, "{}", run.err);
    insta::assert_snapshot!(run.err);
    let words = ["deploy", "--stack-name", "shop", "--poll-delay", "0.02", "--format", "json", "-q"];
    let json = case("after-build-json", TEMPLATE).run(failing(), &words);
    let value: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!((&value["Changes"][0]["file"], &value["Changes"][0]["line"]), (&"template.yaml".into(), &12.into()));
    assert_eq!(value["Failures"][0]["source"], "template.yaml:12 [Name=Users]");
    assert!(!json.out.contains(".formwork"), "{}", json.out);
}

#[test]
fn errors_of_a_built_template_are_those_of_the_authored_one() {
    let case = case(
        "after-build-errors",
        &format!("{TEMPLATE}  Queue:\n    Type: AWS::SQS::Queue\n    Properties:\n      QueueName: !Ref Stage\n")
            .replace("  Key:", "  Stage: {Type: String, AllowedValues: [a]}\n  Key:"),
    );
    let run = case.run(vec![no_stack()], &["deploy", "--stack-name", "shop", "--parameter-overrides", "Stage=b"]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(run.err.contains("--> template.yaml:") || run.err.contains("template.yaml:7"), "{}", run.err);
    assert!(!run.err.contains("--> .formwork"), "{}", run.err);
}

#[test]
fn what_changed_since_the_build_is_a_warning() {
    let case = case("after-build-changed", &format!("{TEMPLATE}{INNER}"));
    let case = case.with("template.yaml", &format!("# One line more.\n{TEMPLATE}{INNER}"));
    let run = listed(&case, &[]);
    assert!(run.out.contains("template.yaml:12 [Name=Users]"), "{}", run.out);
    assert_eq!(run.err.matches("template.yaml changed since it was built").count(), 1, "{}", run.err);
}

#[test]
fn a_built_template_without_its_record_has_its_own_places() {
    let case = case("after-build-edited", &format!("{TEMPLATE}{INNER}"));
    let text = case.read(".formwork/build/template.yaml");
    let case = case.with(".formwork/build/template.yaml", &format!("# Edited.\n{text}"));
    let run = listed(&case, &[]);
    assert!(run.out.contains(".formwork/build/template.yaml:"), "{}", run.out);
}
