//! Answers that no model of the service allows: words that nobody knows, events without ID, listings in another order, pages
//! that repeat. What is not known is shown as it was sent, and ends nothing.
//!
//! Holds reference/deploy.md#unknown.

use super::answers::{
    Change, Event, Finding, STACK_ID, change_set, created, done, events, existing, fails_with, followed, hook_result,
    hook_results, no_stack, operation_events, ready, stack, summary,
};
use super::program::Case;
use super::server::{Answer, Step};

const TOPIC: &str = "AWS::SNS::Topic";
const SENTENCE: &str = "The following hook(s)/validation failed: [AWS::EarlyValidation::PropertyValidation].";

fn begin() -> Vec<Step> {
    vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&[]), created()]
}

/// A change set that can be executed, and no finding.
fn reviewed(changes: &[Change]) -> Vec<Step> {
    [begin(), vec![ready(changes)]].concat()
}

/// A step with its text changed.
fn edited(mut step: Step, old: &str, new: &str) -> Step {
    if let Answer::Result(xml) = &mut step.answer {
        assert!(xml.contains(old), "{old} in {xml}");
        *xml = xml.replace(old, new);
    }
    step
}

/// A listing of events without their IDs.
fn without_ids(step: Step) -> Step {
    let Answer::Result(xml) = &step.answer else { return step };
    let mut rest = xml.as_str();
    let mut text = String::new();
    while let Some((before, after)) = rest.split_once("<EventId>") {
        text += before;
        rest = after.split_once("</EventId>").map_or("", |(_, behind)| behind);
    }
    Step { action: step.action, answer: Answer::Result(text + rest) }
}

/// A listing of events, the oldest first.
fn reversed(step: Step) -> Step {
    let Answer::Result(xml) = &step.answer else { return step };
    let inner = xml.trim_start_matches("<StackEvents>").trim_end_matches("</StackEvents>");
    let mut members: Vec<&str> = inner.split_inclusive("</member>").collect();
    members.reverse();
    Step { action: step.action, answer: Answer::Result(format!("<StackEvents>{}</StackEvents>", members.concat())) }
}

fn old() -> Vec<Event> {
    vec![Event::stack(6, "UPDATE_IN_PROGRESS"), Event::stack(7, "UPDATE_COMPLETE")]
}

/// Three looks at the events of a deployment, as a listing shows them.
fn looks(listed: fn(Step) -> Step) -> Vec<Step> {
    let first = [old(), vec![Event::stack(8, "UPDATE_IN_PROGRESS")]].concat();
    let second = [first.clone(), vec![Event::of(9, "Topic", TOPIC, "UPDATE_COMPLETE")]].concat();
    let third = [second.clone(), vec![Event::stack(10, "UPDATE_COMPLETE")]].concat();
    let steps = vec![
        listed(events(&old())),
        done("ExecuteChangeSet"),
        listed(events(&first)),
        listed(events(&second)),
        listed(events(&third)),
        stack("UPDATE_COMPLETE", &[], &[]),
    ];
    [reviewed(&[Change::new("Modify", "Topic", TOPIC)]), steps].concat()
}

#[test]
fn events_without_ids_are_new_once_and_old_ones_end_nothing() {
    let run = Case::new("lies-no-ids").deploy(looks(without_ids), &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(run.err.matches("UPDATE_IN_PROGRESS").count(), 1, "{}", run.err);
    assert_eq!(run.err.matches("Topic (AWS::SNS::Topic)").count(), 1, "{}", run.err);
}

#[test]
fn events_in_another_order_are_followed() {
    let run = Case::new("lies-order").deploy(looks(reversed), &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    let lines: Vec<&str> = run.err.lines().filter(|line| line.starts_with("2026-01-31")).collect();
    assert!(lines.len() == 3 && lines[1].contains("Topic") && lines[2].contains("UPDATE_COMPLETE"), "{lines:?}");
}

#[test]
fn what_is_not_a_time_hides_no_event() {
    let last = edited(
        events(&[old(), vec![Event::stack(8, "UPDATE_IN_PROGRESS"), Event::stack(9, "UPDATE_COMPLETE")]].concat()),
        "2026-01-31T10:00:09.500Z",
        "yesterday",
    );
    let steps = vec![events(&old()), done("ExecuteChangeSet"), last, stack("UPDATE_COMPLETE", &[], &[])];
    let run = Case::new("lies-times").deploy([reviewed(&[Change::new("Modify", "Topic", TOPIC)]), steps].concat(), &[]);
    assert!(run.status == 0 && run.err.contains("\n-                          UPDATE_COMPLETE"), "{}", run.err);
    assert!(!run.err.contains("1970"), "{}", run.err);
}

#[test]
fn a_status_of_the_stack_that_nobody_knows_ends_nothing() {
    let first = [old(), vec![Event::stack(8, "UPDATE_PONDERING")]].concat();
    let last = [first.clone(), vec![Event::stack(9, "UPDATE_COMPLETE")]].concat();
    let steps = vec![
        events(&old()),
        done("ExecuteChangeSet"),
        events(&first),
        events(&last),
        stack("UPDATE_COMPLETE", &[], &[]),
    ];
    let run =
        Case::new("lies-status").deploy([reviewed(&[Change::new("Modify", "Topic", TOPIC)]), steps].concat(), &[]);
    assert!(run.status == 0 && run.err.contains("UPDATE_PONDERING"), "{}", run.err);
}

#[test]
fn a_status_of_the_change_set_that_nobody_knows_is_waited_for() {
    let steps =
        [begin(), vec![change_set("CREATE_PONDERING", "", &[]), ready(&[Change::new("Add", "Topic", TOPIC)])]].concat();
    let run = Case::new("lies-set").deploy(steps, &["--no-execute"]);
    assert!(run.status == 0 && run.err.contains("+ Add"), "{}", run.err);
}

#[test]
fn actions_replacements_and_drift_are_shown_as_sent() {
    let changes = [
        Change::new("Transmute", "Topic", TOPIC),
        Change::new("Modify", "QueueOrders", "AWS::SQS::Queue")
            .with("Replacement", "Someday")
            .with("ResourceDriftStatus", "WOBBLY_STATE"),
    ];
    let run = Case::new("lies-words").deploy(reviewed(&changes), &["--no-execute", "--revert-drift"]);
    let shown = ["? Transmute  Topic", "Someday", "WOBBLY_STATE"];
    assert!(run.status == 0 && shown.iter().all(|word| run.err.contains(word)), "{}", run.err);
    let run = Case::new("lies-words-json").deploy(reviewed(&changes), &["--no-execute", "--format", "json"]);
    let shown = ["\"action\": \"Transmute\"", "\"replacement\": \"Someday\""];
    assert!(shown.iter().all(|word| run.out.contains(word)), "{}", run.out);
}

#[test]
fn what_may_replace_data_in_unknown_words_needs_a_clear_word() {
    for change in [
        Change::new("Modify", "Old", "AWS::S3::Bucket").with("Replacement", "Someday"),
        Change::new("Transmute", "Old", "AWS::S3::Bucket").with("Replacement", "True"),
    ] {
        let run = Case::new("lies-data").deploy(reviewed(&[change]), &[]);
        assert!(run.status == 2 && run.err.contains("data may be lost: Old"), "{}", run.err);
    }
}

#[test]
fn hooks_of_pages_that_repeat_are_shown_once_and_results_that_are_gone_have_their_reason() {
    let failed = ["r-1", "Private::Guard::TestHook", "FAIL", "HOOK_COMPLETE_FAILED", "not encrypted"];
    let page = || followed(hook_results(&[failed]), "1");
    let gone = fails_with("GetHookResult", 404, "HookResultNotFound", "gone");
    let steps = vec![
        change_set("FAILED", "The following hook(s) failed: [Private::Guard::TestHook]", &[]),
        operation_events(&[]),
        operation_events(&[]),
        page(),
        page(),
        gone,
        done("DeleteChangeSet"),
    ];
    let run = Case::new("lies-hook-pages").deploy([begin(), steps].concat(), &[]);
    assert_eq!((run.status, run.err.matches("error[FW1303]").count()), (1, 1), "{}", run.err);
    assert!(run.err.contains("`not encrypted`") && !run.err.contains("not known"), "{}", run.err);
}

#[test]
fn annotations_without_words_are_left_out() {
    let failed = ["r-1", "Private::Guard::TestHook", "FAIL", "HOOK_COMPLETE_FAILED", "not encrypted"];
    let annotations = [["", "FAILED", "", "", "", ""], ["", "FAILED", "no key", "", "", "APOCALYPTIC"]];
    let steps = vec![
        change_set("FAILED", "The following hook(s) failed: [Private::Guard::TestHook]", &[]),
        operation_events(&[]),
        operation_events(&[]),
        hook_results(&[failed]),
        hook_result(failed, &annotations),
        done("DeleteChangeSet"),
    ];
    let run = Case::new("lies-annotations").deploy([begin(), steps].concat(), &[]);
    assert!(run.err.contains("= note: no key (APOCALYPTIC)") && !run.err.contains("[]"), "{}", run.err);
}

/// A change set that fails, with these findings.
fn failed(findings: &[Finding]) -> Vec<Step> {
    vec![
        no_stack(),
        created(),
        change_set("FAILED", SENTENCE, &[]),
        operation_events(findings),
        done("DeleteChangeSet"),
    ]
}

#[test]
fn a_finding_without_a_resource_is_that_of_its_path() {
    let finding = Finding::new(1, "/Resources/Topic/Properties/DisplayName", "No.").of("A", "FAIL");
    let finding = finding.but("LogicalResourceId", "Topic", "");
    let run = Case::new("lies-finding").deploy(failed(&[finding]), &["--format", "json"]);
    assert!(run.out.contains("\"logical_id\": \"Topic\"") && run.out.contains("\"line\": 7"), "{}", run.out);
}

#[test]
fn a_finding_about_an_output_is_at_its_line() {
    let finding = Finding::new(1, "/Outputs/TopicName/Value", "No.").of("A", "FAIL");
    let unknown = Finding::new(2, "/Outputs/Gone/Value", "Gone.").of("A", "FAIL");
    let run = Case::new("lies-output").deploy(failed(&[finding, unknown]), &["--message-format", "short"]);
    assert!(run.err.contains("t.yaml:13:22: error[FW1301]: `No.`"), "{}", run.err);
    assert!(!run.err.contains("removed from the template"), "{}", run.err);
}

#[test]
fn findings_without_ids_are_one_when_all_of_them_is_equal() {
    let finding = |path: &str| Finding::new(1, path, "No.").of("A", "FAIL").but("EventId", "finding-1", "");
    let both = [finding("/Resources/Topic"), finding("/Resources/QueueUsers"), finding("/Resources/Topic")];
    let run = Case::new("lies-finding-ids").deploy(failed(&both), &[]);
    assert!(run.err.contains("failed: 2 validation errors"), "{}", run.err);
}

#[test]
fn whether_an_unknown_state_can_be_executed_is_decided_by_cloudformation() {
    for state in ["", "SUPERPOSED"] {
        let set = existing("CREATE_COMPLETE", state, "", &[Change::new("Modify", "Topic", TOPIC)]);
        let steps = vec![
            set,
            events(&old()),
            done("ExecuteChangeSet"),
            events(&[old(), vec![Event::stack(8, "UPDATE_IN_PROGRESS"), Event::stack(9, "UPDATE_COMPLETE")]].concat()),
            stack("UPDATE_COMPLETE", &[], &[]),
        ];
        let words = ["deploy", "--execute-change-set", super::answers::SET_ID, "--poll-delay", "0.02"];
        let run = Case::new("lies-execution").run(steps, &words);
        assert_eq!(run.status, 0, "{state}: {}", run.err);
    }
}

#[test]
fn failures_without_ids_and_times_are_listed() {
    let found = Finding::new(1, "/Resources/Topic", "Not valid.").of("A", "FAIL").but("EventId", "finding-1", "").but(
        "Timestamp",
        "2026-01-31T10:00:00.500Z",
        "",
    );
    let own = [Event::stack(8, "UPDATE_IN_PROGRESS").because("User Initiated"), Event::stack(9, "UPDATE_FAILED")];
    let steps = vec![stack("UPDATE_FAILED", &[], &[]), events(&own), operation_events(&[found])];
    let run = Case::new("lies-failures").run(steps, &["events", STACK_ID, "--failed"]);
    assert!(run.status == 0 && run.out.contains("Not valid."), "{}{}", run.out, run.err);
}
