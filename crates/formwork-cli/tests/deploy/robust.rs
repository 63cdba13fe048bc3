//! Services that throttle, answer late, answer nonsense or do not stop answering: nothing is lost, and
//! nothing is claimed that did not happen (reference/deploy.md#status).

use serde_json::Value;

use super::answers::{
    Change, Event, breaks, change_set, created, done, events, fails, followed, foreign, long, no_stack, ready,
    signalled, stack, summary, throttled,
};
use super::program::{Case, Run};
use super::server::{Answer, Step};

const TOPIC: &str = "AWS::SNS::Topic";

fn before() -> Event {
    Event::stack(0, "UPDATE_COMPLETE")
}

fn running() -> Step {
    events(&[before(), Event::stack(1, "UPDATE_IN_PROGRESS")])
}

fn complete() -> Step {
    events(&[before(), Event::stack(1, "UPDATE_IN_PROGRESS"), Event::stack(2, "UPDATE_COMPLETE")])
}

/// An update up to the change set.
fn proposed() -> Vec<Step> {
    vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        summary(&["Stage"]),
        created(),
        ready(&[Change::new("Modify", "Topic", TOPIC).replaced("False", "Tags")]),
    ]
}

/// An update up to its execution.
fn executed() -> Vec<Step> {
    [proposed(), vec![events(&[before()]), done("ExecuteChangeSet")]].concat()
}

fn unavailable(action: &'static str) -> Step {
    Step { action, answer: Answer::Error(503, "ServiceUnavailable", "Come back later".to_owned()) }
}

fn result(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("an object: {error}: {}\n{}", run.out, run.err))
}

/// The values of a parameter in all requests of an action.
fn all<'r>(run: &'r Run, action: &str, key: &str) -> Vec<&'r str> {
    let is = |request: &&Vec<(String, String)>| request.iter().any(|(key, value)| key == "Action" && value == action);
    let requests = run.requests.iter().filter(is);
    requests.filter_map(|request| request.iter().find(|(known, _)| known == key)).map(|(_, value)| &**value).collect()
}

#[test]
fn throttling_ends_no_step() {
    let steps = vec![
        throttled("DescribeStacks"),
        stack("UPDATE_COMPLETE", &[], &[]),
        unavailable("GetTemplateSummary"),
        summary(&["Stage"]),
        throttled("CreateChangeSet"),
        unavailable("CreateChangeSet"),
        created(),
        throttled("DescribeChangeSet"),
        ready(&[Change::new("Modify", "Topic", TOPIC).replaced("False", "Tags")]),
        throttled("DescribeStackEvents"),
        events(&[before()]),
        throttled("ExecuteChangeSet"),
        unavailable("ExecuteChangeSet"),
        done("ExecuteChangeSet"),
        complete(),
        throttled("DescribeStacks"),
        stack("UPDATE_COMPLETE", &[], &[("TopicName", "shop-topic")]),
    ];
    let run = Case::new("throttled-everywhere").deploy(steps, &[]);
    insta::assert_snapshot!(run.told());
    // The same request again starts neither a second change set nor a second execution.
    for (action, key) in [("CreateChangeSet", "ClientToken"), ("ExecuteChangeSet", "ClientRequestToken")] {
        let tokens = all(&run, action, key);
        assert!(tokens.len() == 3 && tokens.iter().all(|token| *token == tokens[0]), "{tokens:?}");
    }
}

#[test]
fn throttling_lasts_as_long_as_it_may() {
    let words = ["--poll-delay", "30", "--max-wait-duration", "0.01", "--format", "json"];
    let all = ["deploy", "t.yaml", "--stack-name", "shop"];
    for steps in [
        vec![throttled("DescribeStacks")],
        vec![no_stack(), throttled("CreateChangeSet"), fails("DeleteChangeSet", "ChangeSetNotFound", "none")],
    ] {
        let run = Case::new("throttled-too-long").run(steps, &[&all[..], &words].concat());
        assert_eq!(run.status, 6, "{}", run.err);
        assert!(run.err.contains("is throttled: `Rate exceeded`") && !run.err.contains("PROXY"), "{}", run.err);
        assert_eq!(result(&run)["Result"], "timed-out");
    }
}

#[test]
fn a_deployment_that_is_done_stays_done() {
    let denied = || fails("DescribeStacks", "AccessDenied", "User: ann is not authorized");
    for last in [vec![throttled("DescribeStacks"); 4], vec![denied()], vec![foreign("DescribeStacks", 200, "Sign in")]]
    {
        let run = Case::new("done").deploy([executed(), vec![complete()], last].concat(), &["--format", "json"]);
        assert_eq!(run.status, 0, "{}", run.err);
        let result = result(&run);
        assert_eq!((&result["Result"], &result["Status"]), (&"deployed".into(), &"UPDATE_COMPLETE".into()));
        assert!(run.err.contains("warning: the outputs are not known: "), "{}", run.err);
        assert!(run.err.contains("the deployment of shop is done") && !run.err.contains("error"), "{}", run.err);
    }
}

#[test]
fn a_policy_that_cannot_be_set_is_a_warning() {
    let file = r#"{"Parameters": {}, "StackPolicy": {"Statement": []}}"#;
    let refused = fails("SetStackPolicy", "ValidationError", "Error validating stack policy");
    let steps = [executed(), vec![complete(), stack("UPDATE_COMPLETE", &[], &[]), refused]].concat();
    let case = Case::new("policy-refused").with("p.json", file);
    let run = case.deploy(steps, &["--parameters-file", "p.json", "--format", "json"]);
    assert_eq!((run.status, &result(&run)["Result"]), (0, &"deployed".into()), "{}", run.err);
    assert!(run.err.contains("warning: the stack policy is not set: "), "{}", run.err);
}

#[test]
fn a_change_set_that_cannot_be_executed_is_named_and_deleted() {
    let obsolete = || {
        let sentence = "ChangeSet [set] cannot be executed in its current execution status of [OBSOLETE]";
        fails("ExecuteChangeSet", "InvalidChangeSetStatus", sentence)
    };
    let steps = [proposed(), vec![events(&[before()]), obsolete(), done("DeleteChangeSet")]].concat();
    let run = Case::new("obsolete").deploy(steps, &["--format", "json"]);
    insta::assert_snapshot!(run.told());
    let denied = fails("DescribeStackEvents", "AccessDenied", "User: ann is not authorized");
    let kept = fails("DeleteChangeSet", "AccessDenied", "User: ann is not authorized to perform: DeleteChangeSet");
    let run = Case::new("left").deploy([proposed(), vec![denied, kept]].concat(), &[]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn an_execution_without_an_answer_claims_nothing() {
    let gone = fails("DeleteChangeSet", "ChangeSetNotFound", "ChangeSet [set] does not exist");
    let steps = [proposed(), vec![events(&[before()]), breaks("ExecuteChangeSet"), gone]].concat();
    let run = Case::new("no-answer").deploy(steps, &[]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("note: it is not known whether the deployment has begun"), "{}", run.err);
    assert!(run.err.contains("`--wait`") && !run.err.contains("nothing was executed"), "{}", run.err);
}

#[test]
fn a_change_set_that_failed_is_deleted() {
    let steps = vec![no_stack(), created(), change_set("FAILED", "No.", &[]), done("DeleteChangeSet")];
    let run = Case::new("failed-and-deleted").deploy(steps, &["--format", "json"]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("note: the change set is deleted, nothing was executed: arn:"), "{}", run.err);
    let result = result(&run);
    assert_eq!((&result["Result"], &result["StackName"]), (&"refused".into(), &"shop".into()));
    assert!(result["Reason"].as_str().is_some_and(|message| message.contains("No.")), "{result}");
}

#[test]
fn a_race_names_the_way_to_wait() {
    let busy =
        "Stack:arn:aws:cloudformation:eu-west-1:1:stack/shop/1 is in UPDATE_IN_PROGRESS state and can not be updated.";
    let refused = fails("CreateChangeSet", "ValidationError", busy);
    let steps = vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&["Stage"]), refused];
    let run = Case::new("race").deploy(steps, &["--format", "json"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn a_run_that_waits_for_others_wins_a_race_by_itself() {
    let busy =
        "Stack:arn:aws:cloudformation:eu-west-1:1:stack/shop/1 is in UPDATE_IN_PROGRESS state and can not be updated.";
    let begin = || vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&["Stage"])];
    let again = || {
        vec![
            // Not visible yet, then followed to its end.
            stack("UPDATE_COMPLETE", &[], &[]),
            fails("CreateChangeSet", "ValidationError", busy),
            stack("UPDATE_IN_PROGRESS", &[], &[]),
            events(&[Event::stack(1, "UPDATE_IN_PROGRESS")]),
            stack("UPDATE_COMPLETE", &[], &[]),
            events(&[Event::stack(1, "UPDATE_IN_PROGRESS"), Event::stack(2, "UPDATE_COMPLETE")]),
            created(),
            ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")]),
        ]
    };
    let lost = vec![fails("CreateChangeSet", "ValidationError", busy)];
    let run = Case::new("race-won").deploy([begin(), lost, again()].concat(), &["--wait", "--no-execute"]);
    assert!(run.status == 0 && run.err.contains("is left unexecuted"), "{}", run.err);
    // A change set that became obsolete is replaced by a new one, which is shown as well.
    let obsolete = "ChangeSet [arn:x] cannot be executed in its current execution status of [OBSOLETE]";
    let lost = vec![
        created(),
        ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")]),
        events(&[Event::stack(0, "UPDATE_COMPLETE")]),
        fails("ExecuteChangeSet", "InvalidChangeSetStatus", obsolete),
        done("DeleteChangeSet"),
    ];
    let end = vec![
        events(&[Event::stack(2, "UPDATE_COMPLETE")]),
        done("ExecuteChangeSet"),
        events(&[Event::stack(2, "UPDATE_COMPLETE"), Event::stack(3, "UPDATE_COMPLETE")]),
        stack("UPDATE_COMPLETE", &[], &[]),
    ];
    let run = Case::new("race-obsolete").deploy([begin(), lost, again(), end].concat(), &["--wait"]);
    assert_eq!((run.status, run.err.matches("+ Add").count()), (0, 2), "{}", run.err);
}

#[test]
fn programs_are_told_of_every_end() {
    let expired = || fails("DescribeStacks", "ExpiredToken", "The token has expired");
    for (steps, status, word) in [
        (vec![expired()], 5, "refused"),
        (vec![stack("UPDATE_IN_PROGRESS", &[], &[])], 1, "refused"),
        (vec![stack("ROLLBACK_COMPLETE", &[], &[])], 1, "refused"),
        (vec![foreign("DescribeStacks", 200, "Sign in")], 1, "unanswered"),
        ([executed(), vec![signalled("TERM", running())]].concat(), 130, "interrupted"),
    ] {
        let run = Case::new("every-end").deploy(steps, &["--format", "json"]);
        assert_eq!(run.status, status, "{}", run.err);
        let result = result(&run);
        assert_eq!((&result["Result"], &result["Region"]), (&word.into(), &"eu-west-1".into()));
        assert!(word == "interrupted" || result["Reason"].is_string(), "{result}");
    }
}

#[test]
fn what_is_not_an_answer_of_the_service_is_shown() {
    let page = "<html>\u{1b}[31m\u{202e}Sign in to the network";
    let run = Case::new("login-page").deploy(vec![foreign("DescribeStacks", 200, page)], &[]);
    insta::assert_snapshot!(run.told());
    let run = Case::new("empty").deploy(vec![foreign("DescribeStacks", 200, "")], &[]);
    assert!(run.status == 1 && run.err.contains("HTTP 200 from http://SERVER/ without a body"), "{}", run.err);
    // A gateway that is out of order is asked again.
    let steps = vec![foreign("DescribeStacks", 502, "<html>Bad gateway"), no_stack(), created(), ready(&[])];
    let run = Case::new("gateway").deploy(steps, &["--no-execute"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("HTTP 502 from http://SERVER/, text/html: <html>Bad gateway"), "{}", run.err);
}

#[test]
fn an_answer_that_does_not_end_is_left() {
    const MOST: usize = 64 << 20;
    let run = Case::new("long").deploy(vec![long("DescribeStacks", 2 * MOST)], &[]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains(&format!("the answer has more than {MOST} bytes")), "{}", run.err);
}

#[test]
fn pages_that_name_themselves_end() {
    // The newest events come first: the end of the deployment is among them.
    let news = [Event::stack(1, "UPDATE_IN_PROGRESS"), Event::stack(2, "UPDATE_COMPLETE")];
    let page = || followed(events(&news), "again");
    let last = stack("UPDATE_COMPLETE", &[], &[]);
    let run = Case::new("events-again").deploy([executed(), vec![page(), page(), last]].concat(), &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(run.err.matches("DescribeStackEvents returns an incomplete listing").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("UPDATE_COMPLETE").count(), 1, "{}", run.err);
    // Of a change set every change counts.
    let page = || followed(ready(&[Change::new("Add", "Topic", TOPIC)]), "again");
    let steps = vec![no_stack(), created(), page(), page(), done("DeleteChangeSet")];
    let run = Case::new("changes-again").deploy(steps, &[]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("the token of the next page was used before"), "{}", run.err);
    assert!(run.err.contains("the change set is deleted"), "{}", run.err);
}

#[test]
fn a_hangup_stops_watching_as_ctrl_c_does() {
    for name in ["HUP", "TERM", "INT"] {
        let run = Case::new("hangup").deploy_with_hangup([executed(), vec![signalled(name, running())]].concat());
        assert_eq!(run.status, 130, "{name}: {}", run.err);
        assert!(run.err.contains("the deployment continues in CloudFormation"), "{name}: {}", run.err);
    }
}

/// `nohup` is for commands that go on when the terminal is closed.
#[test]
#[cfg(target_os = "linux")]
fn a_hangup_that_is_ignored_stays_ignored() {
    let steps =
        [executed(), vec![signalled("HUP", running()), complete(), stack("UPDATE_COMPLETE", &[], &[])]].concat();
    let run = Case::new("nohup").deploy_without_hangup(steps);
    assert_eq!(run.status, 0, "{}", run.err);
}
