//! Ctrl-C, and time that is over.
//!
//! Holds reference/deploy.md#interrupt.

use super::answers::{Change, Event, created, done, events, fails, interrupted, no_stack, ready, stack, summary};
use super::program::Case;
use super::server::Step;

/// An update up to its execution.
fn update() -> Vec<Step> {
    vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        summary(&["Stage"]),
        created(),
        ready(&[Change::new("Modify", "Topic", "AWS::SNS::Topic").replaced("False", "Tags")]),
        events(&[Event::stack(0, "UPDATE_COMPLETE")]),
        done("ExecuteChangeSet"),
    ]
}

fn running() -> Step {
    events(&[Event::stack(0, "UPDATE_COMPLETE"), Event::stack(1, "UPDATE_IN_PROGRESS")])
}

#[test]
fn the_deployment_goes_on() {
    let steps = [update(), vec![interrupted(running())]].concat();
    insta::assert_snapshot!(Case::new("ctrl-c").deploy(steps, &[]).told());
}

#[test]
fn the_update_is_cancelled() {
    let back = [
        Event::stack(0, "UPDATE_COMPLETE"),
        Event::stack(1, "UPDATE_IN_PROGRESS"),
        Event::stack(2, "UPDATE_ROLLBACK_IN_PROGRESS").because("Requested by user"),
        Event::stack(3, "UPDATE_ROLLBACK_COMPLETE"),
    ];
    let steps = [update(), vec![interrupted(running()), done("CancelUpdateStack"), events(&back)]].concat();
    insta::assert_snapshot!(Case::new("cancel").deploy(steps, &["--cancel-on-interrupt"]).told());
    // A second time, nobody watches any more.
    let steps = [update(), vec![interrupted(running()), done("CancelUpdateStack"), interrupted(running())]].concat();
    let run = Case::new("cancel-twice").deploy(steps, &["--cancel-on-interrupt"]);
    assert_eq!(run.status, 130, "{}", run.err);
}

#[test]
fn a_create_cannot_be_cancelled() {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let steps = vec![
        no_stack(),
        created(),
        ready(&[]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        interrupted(events(&[before, Event::stack(1, "CREATE_IN_PROGRESS")])),
    ];
    insta::assert_snapshot!(Case::new("cancel-create").deploy(steps, &["--cancel-on-interrupt"]).told());
}

#[test]
fn a_change_set_that_nobody_waits_for_is_deleted() {
    let pending = super::answers::change_set("CREATE_IN_PROGRESS", "", &[]);
    let steps = vec![no_stack(), created(), interrupted(pending), done("DeleteChangeSet")];
    let run = Case::new("ctrl-c-early").deploy(steps, &[]);
    assert_eq!(run.status, 130, "{}", run.err);
    insta::assert_snapshot!(run.err);
}

#[test]
fn an_interrupt_while_waiting_for_others() {
    let old = Event::stack(1, "UPDATE_IN_PROGRESS");
    let steps = vec![
        stack("UPDATE_IN_PROGRESS", &[], &[]),
        events(std::slice::from_ref(&old)),
        interrupted(stack("UPDATE_IN_PROGRESS", &[], &[])),
    ];
    insta::assert_snapshot!(Case::new("ctrl-c-wait").deploy(steps, &["--wait"]).told());
}

#[test]
fn time_is_over() {
    // The last look is answered by nobody: the pause before it is longer than the time that is left.
    let steps = [update(), vec![running()]].concat();
    let words = ["--poll-delay", "30", "--max-wait-duration", "0.05"];
    let all = ["deploy", "t.yaml", "--stack-name", "shop"];
    let run = Case::new("time").run(steps, &[&all[..], &words].concat());
    insta::assert_snapshot!(run.told());
}

#[test]
fn a_cancel_that_is_refused() {
    let refused =
        fails("CancelUpdateStack", "ValidationError", "CancelUpdateStack cannot be called from current state");
    let steps = [update(), vec![interrupted(running()), refused]].concat();
    insta::assert_snapshot!(Case::new("cancel-refused").deploy(steps, &["--cancel-on-interrupt"]).told());
}

/// `sync` deploys as `deploy` does, and ends as it does, also when it would watch.
#[test]
fn a_sync_that_deploys() {
    let pending = || super::answers::change_set("CREATE_IN_PROGRESS", "", &[]);
    let early = || vec![no_stack(), created(), interrupted(pending()), done("DeleteChangeSet")];
    let asked =
        vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&["Stage"]), interrupted(created()), done("DeleteChangeSet")];
    let late = [update(), vec![interrupted(running())]].concat();
    for (name, steps, more, want) in [
        ("waiting", early(), "--no-watch", "the change set is deleted, nothing was executed"),
        ("watching", early(), "--watch", "the change set is deleted, nothing was executed"),
        ("asking", asked, "--no-watch", "the change set is deleted, nothing was executed"),
        ("executing", late, "--no-watch", "the deployment continues in CloudFormation"),
    ] {
        let case = Case::new(&format!("sync-ctrl-c-{name}"));
        let run = case.run(steps, &["sync", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02", more]);
        assert_eq!(run.status, 130, "{name}: {}", run.err);
        assert!(run.err.contains(want), "{name}: {}", run.err);
    }
}

#[test]
fn a_sync_that_asks() {
    let steps = vec![no_stack(), created(), ready(&[])];
    let case = Case::new("sync-ctrl-c-prompt");
    let words = ["sync", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02", "--confirm-changeset"];
    let run = case.run_and_answer(steps, "\\x03", &words);
    assert_eq!(run.status, 130, "{}", run.out);
    assert!(run.out.contains("the change set is left unexecuted"), "{}", run.out);
}
