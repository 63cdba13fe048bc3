//! Options of change sets and deletions that the AWS CLI has, too: what is sent, and what is refused.
//!
//! Holds reference/deploy.md#change-set.

use super::answers::{Change, Event, created, done, events, ready, resources, stack, stack_with, template};
use super::program::Case;
use super::server::Step;

const ALARM: &str = "arn:aws:cloudwatch:eu-west-1:111122223333:alarm:errors";

fn deployed() -> Vec<Step> {
    vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        super::answers::summary(&[]),
        created(),
        ready(&[Change::new("Add", "Topic", "AWS::SNS::Topic")]),
        events(&[Event::stack(0, "UPDATE_COMPLETE")]),
        done("ExecuteChangeSet"),
        events(&[
            Event::stack(0, "UPDATE_COMPLETE"),
            Event::stack(1, "UPDATE_IN_PROGRESS").because("User Initiated"),
            Event::stack(2, "UPDATE_COMPLETE"),
        ]),
        stack("UPDATE_COMPLETE", &[], &[]),
    ]
}

#[test]
fn alarms_types_and_what_a_failed_creation_leaves_are_sent() {
    let rollback = format!(
        r#"{{"RollbackTriggers": [{{"Arn": "{ALARM}", "Type": "AWS::CloudWatch::Alarm"}}], "MonitoringTimeInMinutes": 5}}"#
    );
    let case = Case::new("options-sent").with("rollback.json", &rollback);
    for value in [rollback.as_str(), "file://rollback.json"] {
        let words = [
            "--rollback-configuration",
            value,
            "--resource-types",
            "AWS::SNS::*,Custom::X",
            "--retain-except-on-create",
        ];
        let run = case.deploy(deployed(), &words);
        assert_eq!(run.status, 0, "{}", run.err);
        let sent = |key: &str| run.sent("CreateChangeSet", key).to_owned();
        assert_eq!(sent("RollbackConfiguration.RollbackTriggers.member.1.Arn"), ALARM);
        assert_eq!(sent("RollbackConfiguration.RollbackTriggers.member.1.Type"), "AWS::CloudWatch::Alarm");
        assert_eq!(sent("RollbackConfiguration.MonitoringTimeInMinutes"), "5");
        assert_eq!(
            (sent("ResourceTypes.member.1"), sent("ResourceTypes.member.2")),
            ("AWS::SNS::*".to_owned(), "Custom::X".to_owned())
        );
        assert_eq!(run.sent("ExecuteChangeSet", "RetainExceptOnCreate"), "true");
    }
    let plain = case.deploy(deployed(), &[]);
    assert_eq!(plain.sent("ExecuteChangeSet", "RetainExceptOnCreate"), "");
    assert_eq!(plain.sent("CreateChangeSet", "RollbackConfiguration.MonitoringTimeInMinutes"), "");
}

#[test]
fn values_that_mean_nothing_are_reported_before_anything_is_sent() {
    let words = ["--rollback-configuration", "{\"Triggers\": []}", "--resource-types", "Queue", "--tags", "x"];
    let run = Case::new("options-wrong").deploy(vec![], &words);
    assert_eq!(run.status, 2);
    for why in ["unknown key `Triggers`", "`Queue` is not the type of a resource", "Key=Value"] {
        assert!(run.err.contains(why), "{why}: {}", run.err);
    }
}

#[test]
fn a_stack_is_deleted_by_force_after_a_deletion_that_failed() {
    let body = "Resources: {Topic: {Type: AWS::SNS::Topic}}";
    let steps = vec![
        stack_with("DELETE_FAILED", ""),
        resources(&[("Topic", "AWS::SNS::Topic", "t")]),
        template(body),
        events(&[Event::stack(0, "DELETE_FAILED")]),
        done("DeleteStack"),
        events(&[
            Event::stack(0, "DELETE_FAILED"),
            Event::stack(1, "DELETE_IN_PROGRESS"),
            Event::stack(2, "DELETE_COMPLETE"),
        ]),
    ];
    let run = Case::new("options-force").delete(steps, &["--yes", "--deletion-mode", "FORCE_DELETE_STACK"]);
    assert_eq!((run.status, run.sent("DeleteStack", "DeletionMode")), (0, "FORCE_DELETE_STACK"), "{}", run.err);
    let steps = vec![stack_with("UPDATE_COMPLETE", "")];
    let run = Case::new("options-no-force").delete(steps, &["--yes", "--deletion-mode", "force_delete_stack"]);
    assert!(run.status == 1 && run.err.contains("only in DELETE_FAILED"), "{}", run.err);
}

#[test]
fn a_rename_names_the_command_that_does_not_replace() {
    let deployed = r#"{"Resources": {"News": {"Type": "AWS::SNS::Topic", "Properties": {"DisplayName": {"Ref": "Stage"}}},
        "QueueOrders": {"Type": "AWS::SQS::Queue"}, "QueueUsers": {"Type": "AWS::SQS::Queue"}}}"#;
    let changes = [Change::new("Add", "Topic", "AWS::SNS::Topic"), Change::new("Remove", "News", "AWS::SNS::Topic")];
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        super::answers::summary(&[]),
        created(),
        ready(&changes),
        template(deployed),
    ];
    let run = Case::new("options-rename").deploy(steps, &["--no-execute"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("only logical IDs change: News -> Topic"), "{}", run.err);
    assert!(run.err.contains("`formwork refactor --stack-name shop --dry-run`"), "{}", run.err);
}
