//! `--guided`: what is missing is asked for on a terminal, and saved on request.
//!
//! Holds reference/deploy.md#guided.

use super::answers::{Change, created, no_stack, ready, stack, summary};
use super::program::{Case, Run};
use super::server::Step;

const TEMPLATE: &str = "Parameters:
  Stage: {Type: String, Description: Where it runs, AllowedValues: [dev, prod]}
  Password: {Type: String, NoEcho: true}
  Owner: {Type: String, Default: nobody}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties: {DisplayName: !Sub '${Stage}-${Password}-${Owner}'}
  Role: {Type: AWS::IAM::Role, Properties: {AssumeRolePolicyDocument: {}}}
";

fn create() -> Vec<Step> {
    vec![no_stack(), created(), ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")])]
}

fn case(name: &str) -> Case {
    // The Region comes from the environment of the tests; without it nobody knows one.
    Case::new(name).with("t.yaml", TEMPLATE)
}

fn guided(case: &Case, steps: Vec<Step>, answers: &str, words: &[&str]) -> Run {
    let all = ["deploy", "t.yaml", "--guided", "--no-execute", "--poll-delay", "0.02", "--color", "never"];
    case.run_and_answer(steps, answers, &[&all, words].concat())
}

#[test]
fn what_is_missing_is_asked_for_and_saved() {
    let case = case("guided").env("AWS_REGION", "");
    let answers = "7shop\nshop\neu-west-1\n\nprod\nnever-to-be-seen\ny\ny\n";
    let run = guided(&case, create(), answers, &[]);
    assert_eq!(run.status, 0, "{}", run.out);
    insta::assert_snapshot!(run.out);
    assert_eq!(run.sent("CreateChangeSet", "StackName"), "shop");
    assert_eq!(run.sent("CreateChangeSet", "Parameters.member.1.ParameterValue"), "prod");
    assert_eq!(run.sent("CreateChangeSet", "Parameters.member.2.ParameterValue"), "never-to-be-seen");
    assert_eq!(run.sent("CreateChangeSet", "Capabilities.member.1"), "CAPABILITY_IAM");
    let saved = case.read("samconfig.toml");
    assert!(!saved.contains("never-to-be-seen") && !saved.contains("Password"), "{saved}");
    insta::assert_snapshot!(saved);
    // With what was saved only the secret is asked for.
    let run = guided(&case, create(), "never-to-be-seen\n", &[]);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(
        !run.out.contains("[y/N]")
            && !run.out.contains("Stage (")
            && run.out.contains("Parameter Password (String; not shown):"),
        "{}",
        run.out
    );
}

#[test]
fn nothing_is_asked_for_that_is_known() {
    let steps = vec![
        stack("UPDATE_COMPLETE", &[("Stage", "dev"), ("Password", "****")], &[]),
        summary(&["Stage", "Password"]),
        created(),
        ready(&[]),
    ];
    let words = ["--stack-name", "shop", "--capabilities", "CAPABILITY_IAM"];
    let case = case("guided-known");
    let run = guided(&case, steps, "", &words);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(!run.out.contains("Parameter ") && !run.out.contains("[y/N]"), "{}", run.out);
    assert!(!case.exists("samconfig.toml"));
}

#[test]
fn answers_that_are_not_saved_and_capabilities_that_are_not_acknowledged() {
    let case = case("guided-no");
    let words = ["--stack-name", "shop", "--parameter-overrides", "Stage=dev", "Password=never-to-be-seen"];
    let run = guided(&case, create(), "y\nn\n", &words);
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(!case.exists("samconfig.toml"));
    let run = guided(&case, vec![no_stack()], "n\n", &words);
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(run.out.contains("CAPABILITY_IAM is not acknowledged: nothing was sent"), "{}", run.out);
}

const CONSTRAINTS: &str = "Parameters:
  Name: {Type: String, AllowedPattern: '[a-z]+', ConstraintDescription: small letters alone}
  Ports: {Type: List<Number>, MaxValue: 90}
  Password: {Type: String, NoEcho: true, MinLength: 17}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Sub '${Name}-${Password}'}}
";

#[test]
fn values_that_are_refused_are_asked_for_again() {
    let case = case("guided-again").with("t.yaml", CONSTRAINTS).env("AWS_REGION", "");
    let answers = "a_b\nshop\neu-west\neu-west-1\nA1\nab\n80,443\n80,x\n80,90\nnever\nnever-to-be-seen-1\nn\n";
    let run = guided(&case, create(), answers, &[]);
    assert_eq!(run.status, 0, "{}", run.out);
    for (question, times) in [("Stack name:", 2), ("Region:", 2), ("Parameter Name (", 2), ("Parameter Ports (", 3)] {
        assert_eq!(run.out.matches(question).count(), times, "{question}: {}", run.out);
    }
    assert_eq!(run.out.matches("(String; not shown):").count(), 2, "{}", run.out);
    for sentence in [
        "  such as eu-west-1\n",
        "  Parameter Name failed to satisfy constraint: small letters alone\n",
        "  Parameter 'Ports' must be a number not greater than 90\n",
        "  Parameter 'Ports' must be a number.\n",
        "  Parameter 'Password' must contain at least 17 characters\n",
    ] {
        assert!(run.out.contains(sentence), "{sentence}{}", run.out);
    }
    let value =
        |number: usize| run.sent("CreateChangeSet", &format!("Parameters.member.{number}.ParameterValue")).to_owned();
    assert_eq!([value(1), value(2), value(3)], ["ab", "80,90", "never-to-be-seen-1"]);
}

#[test]
fn ctrl_c_while_somebody_is_asked() {
    let case = case("guided-ctrl-c");
    let run = guided(&case, vec![no_stack()], "prod\n\\x03", &["--stack-name", "shop"]);
    assert_eq!(run.status, 130, "{}", run.out);
    assert!(run.out.contains("nothing was deployed"), "{}", run.out);
}

#[test]
fn nobody_is_there_to_be_guided() {
    let run = case("guided-unattended").deploy(vec![], &["--guided"]);
    assert_eq!(run.status, 2, "{}", run.err);
    insta::assert_snapshot!(run.err);
}
