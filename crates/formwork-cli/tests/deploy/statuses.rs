//! The status of the stack before a deployment.
//!
//! Holds reference/deploy.md#state.

use std::fmt::Write as _;

use super::answers::{Change, Event, STACK_ID, created, done, events, fails, ready, stack, summary};
use super::program::Case;

fn create_that_is_not_executed() -> Vec<super::server::Step> {
    vec![created(), ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")])]
}

#[test]
fn a_stack_that_waits_for_its_first_change_set_is_created() {
    let steps = [vec![stack("REVIEW_IN_PROGRESS", &[], &[])], create_that_is_not_executed()].concat();
    let run = Case::new("review").deploy(steps, &["--no-execute"]);
    assert_eq!((run.status, run.sent("CreateChangeSet", "ChangeSetType")), (0, "CREATE"), "{}", run.err);
}

#[test]
fn what_can_be_updated() {
    let statuses = [
        "CREATE_COMPLETE",
        "UPDATE_COMPLETE",
        "UPDATE_ROLLBACK_COMPLETE",
        "UPDATE_FAILED",
        "IMPORT_COMPLETE",
        "IMPORT_ROLLBACK_COMPLETE",
    ];
    for status in statuses {
        let steps = [vec![stack(status, &[], &[]), summary(&["Stage"])], create_that_is_not_executed()].concat();
        let run = Case::new("ready").deploy(steps, &["--no-execute"]);
        assert_eq!((run.status, run.sent("CreateChangeSet", "ChangeSetType")), (0, "UPDATE"), "{status}: {}", run.err);
    }
}

#[test]
fn what_cannot_be_updated() {
    let statuses = [
        "ROLLBACK_COMPLETE",
        "ROLLBACK_FAILED",
        "CREATE_FAILED",
        "DELETE_FAILED",
        "UPDATE_ROLLBACK_FAILED",
        "CREATE_IN_PROGRESS",
        "ROLLBACK_IN_PROGRESS",
        "DELETE_IN_PROGRESS",
        "UPDATE_IN_PROGRESS",
        "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
        "UPDATE_ROLLBACK_IN_PROGRESS",
        "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
        "IMPORT_IN_PROGRESS",
        "IMPORT_ROLLBACK_IN_PROGRESS",
    ];
    let mut told = String::new();
    for status in statuses {
        let run = Case::new("unfit").deploy(vec![stack(status, &[], &[])], &[]);
        assert_eq!((run.status, run.out.as_str()), (1, ""), "{status}: {}", run.err);
        let _ = write!(told, "-- {status}\n{}", run.err);
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_dead_stack_is_replaced() {
    let dead = Event::stack(3, "ROLLBACK_COMPLETE");
    let removal = vec![
        stack("ROLLBACK_COMPLETE", &[], &[]),
        events(std::slice::from_ref(&dead)),
        done("DeleteStack"),
        events(&[dead.clone(), Event::stack(4, "DELETE_IN_PROGRESS")]),
        events(&[dead, Event::stack(4, "DELETE_IN_PROGRESS"), Event::stack(5, "DELETE_COMPLETE")]),
    ];
    let steps = [removal, create_that_is_not_executed()].concat();
    let run = Case::new("replace").deploy(steps, &["--replace-failed", "--no-execute"]);
    insta::assert_snapshot!(run.all());
    assert_eq!(run.sent("DeleteStack", "StackName"), STACK_ID);
}

#[test]
fn a_dead_stack_that_stays() {
    let dead = Event::stack(3, "DELETE_FAILED");
    let bucket = Event::of(5, "Logs", "AWS::S3::Bucket", "DELETE_FAILED").because("The bucket is not empty");
    let steps = vec![
        stack("DELETE_FAILED", &[], &[]),
        events(std::slice::from_ref(&dead)),
        done("DeleteStack"),
        events(&[dead, Event::stack(4, "DELETE_IN_PROGRESS"), bucket, Event::stack(6, "DELETE_FAILED")]),
    ];
    insta::assert_snapshot!(Case::new("stays").deploy(steps, &["--replace-failed"]).told());
}

#[test]
fn what_goes_on_is_waited_for() {
    let old = Event::stack(1, "UPDATE_IN_PROGRESS");
    let new = [old.clone(), Event::of(2, "Topic", "AWS::SNS::Topic", "UPDATE_COMPLETE")];
    let steps = vec![
        stack("UPDATE_IN_PROGRESS", &[], &[]),
        events(std::slice::from_ref(&old)),
        stack("UPDATE_IN_PROGRESS", &[], &[]),
        events(&new),
        stack("UPDATE_COMPLETE", &[], &[]),
        events(&[new.to_vec(), vec![Event::stack(3, "UPDATE_COMPLETE")]].concat()),
        summary(&["Stage"]),
    ];
    let steps = [steps, create_that_is_not_executed()].concat();
    insta::assert_snapshot!(Case::new("wait").deploy(steps, &["--wait", "--no-execute"]).told());
}

#[test]
fn what_was_waited_for_came_to_no_good() {
    let old = Event::stack(1, "CREATE_IN_PROGRESS");
    let steps = vec![
        stack("CREATE_IN_PROGRESS", &[], &[]),
        events(std::slice::from_ref(&old)),
        stack("ROLLBACK_COMPLETE", &[], &[]),
        events(&[old, Event::stack(2, "ROLLBACK_COMPLETE")]),
    ];
    insta::assert_snapshot!(Case::new("wait-dead").deploy(steps, &["--wait"]).told());
}

#[test]
fn other_errors_are_no_absence() {
    let steps = vec![fails("DescribeStacks", "ValidationError", "Stack name is too long")];
    insta::assert_snapshot!(Case::new("look").deploy(steps, &[]).told());
}
