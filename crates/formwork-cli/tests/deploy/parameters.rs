//! Parameters: what is sent, what is checked first, what is never shown.
//!
//! Holds reference/deploy.md#parameters.

use std::fmt::Write as _;

use super::answers::{Change, Event, created, done, events, no_stack, ready, stack, summary};
use super::program::Case;
use super::server::Step;

const TEMPLATE: &str = "Parameters:
  Stage: {Type: String, AllowedValues: [dev, prod]}
  Zones: {Type: CommaDelimitedList, Default: 'a,b'}
  Size: {Type: Number, Default: 1}
  Password: {Type: String, NoEcho: true, Default: never-to-be-seen}
Rules:
  ProdIsLarge:
    RuleCondition: !Equals [!Ref Stage, prod]
    Assertions:
      - Assert: !Not [!Equals [!Ref Size, '1']]
        AssertDescription: production is large
Resources:
  Topic: {Type: AWS::SNS::Topic}
";

fn not_executed(parameters: &[(&str, &str)], known: &[&str]) -> Vec<Step> {
    vec![
        stack("UPDATE_COMPLETE", parameters, &[]),
        summary(known),
        created(),
        ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")]),
    ]
}

#[test]
fn the_stack_keeps_what_nobody_gives() {
    let parameters = [("Stage", "prod"), ("Size", "9"), ("Password", "****"), ("Gone", "x")];
    let steps = not_executed(&parameters, &["Stage", "Size", "Password", "Gone"]);
    let words = ["--no-execute", "--parameter-overrides", "Zones=c,d e", "Unknown=1"];
    let run = Case::new("keeps").with("t.yaml", TEMPLATE).deploy(steps, &words);
    insta::assert_snapshot!(run.all());
}

#[test]
fn rules_see_the_values_that_the_stack_keeps() {
    let parameters = [("Stage", "prod"), ("Size", "1")];
    let steps = vec![stack("UPDATE_COMPLETE", &parameters, &[]), summary(&["Stage", "Size"])];
    insta::assert_snapshot!(Case::new("kept-rule").with("t.yaml", TEMPLATE).deploy(steps, &[]).told());
}

#[test]
fn what_is_refused_before_anything_is_sent() {
    let mut told = String::new();
    let given = ["--parameter-overrides", "Zones=a", "Size=1", "Password=x"];
    for (name, words) in [("a rule", "Stage=prod"), ("a value", "Stage=test")] {
        let words = [&given[..], &[words]].concat();
        let run = Case::new("refused").with("t.yaml", TEMPLATE).deploy(vec![], &words);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{}", run.err);
        let _ = write!(told, "-- {name}\n{}", run.err);
    }
    let run = Case::new("malformed").with("t.yaml", "Resources: {").deploy(vec![], &[]);
    let _ = write!(told, "-- text\n{}", run.err);
    assert_eq!(run.status, 2);
    insta::assert_snapshot!(told);
}

#[test]
fn a_value_is_missing() {
    let run = Case::new("missing").with("t.yaml", TEMPLATE).deploy(vec![no_stack()], &[]);
    insta::assert_snapshot!(run.told());
    // A new parameter of a stack that there is.
    let steps = vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&["Zones"])];
    assert_eq!(Case::new("missing-new").with("t.yaml", TEMPLATE).deploy(steps, &[]).status, 2);
}

#[test]
fn files_of_parameters() {
    let file = r#"[
  {"ParameterKey": "Stage", "UsePreviousValue": true},
  {"ParameterKey": "Zones", "ParameterValue": "x,y"},
  "Size=3"
]"#;
    let earlier = "{Parameters: {Stage: dev, Size: 2}, Tags: {Team: shop, Note: 5}, StackPolicy: {Statement: [{Effect: Allow, Action: 'Update:*', Principal: '*', Resource: '*'}]}}";
    let before = Event::stack(0, "UPDATE_COMPLETE");
    let mut steps = not_executed(&[("Stage", "prod")], &["Stage"]);
    steps.extend([
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, Event::stack(1, "UPDATE_COMPLETE")]),
        stack("UPDATE_COMPLETE", &[], &[]),
        done("SetStackPolicy"),
    ]);
    let case = Case::new("files").with("t.yaml", TEMPLATE).with("p.json", file).with("earlier.yaml", earlier);
    let words = ["--parameters-file", "earlier.yaml", "--parameters-file", "p.json", "--tags", "Note=six", "Env=prod"];
    insta::assert_snapshot!(case.deploy(steps, &words).all());
}

#[test]
fn every_form_of_a_word() {
    let words = [
        "--no-execute",
        "--parameter-overrides",
        "Stage=prod",
        "ParameterKey=Zones,ParameterValue=a\\,b",
        "Size=2",
        "Password=k=v, w",
    ];
    let steps = vec![no_stack(), created(), ready(&[])];
    let run = Case::new("words").with("t.yaml", TEMPLATE).deploy(steps, &words);
    assert_eq!(run.status, 0, "{}", run.err);
    let values: Vec<&str> = (1..=4)
        .map(|at| run.sent("CreateChangeSet", &format!("Parameters.member.{at}.ParameterValue")).trim())
        .collect();
    assert_eq!(values, ["prod", "a,b", "2", "k=v, w"]);
}

#[test]
fn secrets_are_not_shown() {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let failure = Event::of(2, "Topic", "AWS::SNS::Topic", "CREATE_FAILED").because("hunter2-hunter2 is too weak");
    let steps = vec![
        no_stack(),
        created(),
        ready(&[]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, failure, Event::stack(3, "ROLLBACK_COMPLETE").because("never-to-be-seen")]),
    ];
    let words = ["--parameter-overrides", "Stage=dev", "Password=hunter2-hunter2", "--format", "json"];
    for form in ["human", "json"] {
        let words = [&words[..], &["--message-format", form]].concat();
        let run = Case::new("secrets").with("t.yaml", TEMPLATE).deploy(steps.clone(), &words);
        assert!(!run.err.contains("hunter2") && run.err.contains("**** is too weak"), "{}", run.err);
        assert!(!run.out.contains("hunter2"), "{}", run.out);
    }
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        created(),
        super::answers::change_set("FAILED", "No updates are to be performed.", &[]),
        done("DeleteChangeSet"),
        stack("UPDATE_COMPLETE", &[], &[("Secret", "x hunter2-hunter2 y")]),
    ];
    let words = ["--parameter-overrides", "Stage=dev", "Zones=a", "Size=1", "Password=hunter2-hunter2"];
    let run = Case::new("secret-output").with("t.yaml", TEMPLATE).deploy(steps, &words);
    assert_eq!(run.out, "Secret  x **** y\n", "{}", run.err);
}
