//! How often a deployment analyzes its template: once, and once more for each round of answers.
//!
//! Holds reference/deploy.md#steps.

use super::answers::{Change, created, no_stack, ready, stack, summary};
use super::program::{Case, Run};
use super::server::{Answer, Step};

const TEMPLATE: &str = "Parameters:
  Stage: {Type: String, Default: dev}
Rules:
  Known: {Assertions: [{Assert: !Not [!Equals [!Ref Stage, none]]}]}
Resources:
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref AWS::AccountId, TopicName: !Ref Stage}}
";

/// Analyses and parsed files, as `--timings` reports them.
fn counts(run: &Run) -> (usize, usize) {
    let count = |name: &str| {
        let line = run.err.lines().find_map(|line| line.trim().strip_prefix(name));
        line.and_then(|rest| rest.trim().parse().ok()).unwrap_or_else(|| panic!("{name}: {}", run.err))
    };
    (count("analyses"), count("parses"))
}

fn proposed(first: Vec<Step>) -> Vec<Step> {
    let ready = ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")]);
    first.into_iter().chain([created(), ready]).collect()
}

fn caller() -> Step {
    let account = "<Account>111122223333</Account><Arn>arn:aws:iam::111122223333:user/a</Arn><UserId>A</UserId>";
    Step { action: "GetCallerIdentity", answer: Answer::Result(account.to_owned()) }
}

#[test]
fn a_template_is_analyzed_once() {
    let words = ["--no-execute", "--timings", "--parameter-overrides", "Stage=prod"];
    let run = Case::new("analyzed-once").with("t.yaml", TEMPLATE).deploy(proposed(vec![no_stack()]), &words);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(counts(&run), (1, 1), "{}", run.err);
}

#[test]
fn live_data_is_one_more_analysis_for_each_round() {
    let words = ["--live", "--no-execute", "--timings", "--parameter-overrides", "Stage=prod"];
    let run = Case::new("analyzed-live").with("t.yaml", TEMPLATE).deploy(proposed(vec![caller(), no_stack()]), &words);
    assert_eq!(run.status, 0, "{}", run.err);
    // The template, and the answers.
    assert_eq!(counts(&run), (2, 2), "{}", run.err);
}

/// The values that the stack has are a round of answers, too.
#[test]
fn previous_values_are_one_more_analysis() {
    let first = vec![caller(), stack("UPDATE_COMPLETE", &[("Stage", "prod")], &[]), summary(&["Stage"])];
    let words = ["--live", "--no-execute", "--timings"];
    let run = Case::new("analyzed-kept").with("t.yaml", TEMPLATE).deploy(proposed(first), &words);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(counts(&run), (3, 2), "{}", run.err);
}
