//! Express mode, and replacements without rollback.
//!
//! Holds reference/deploy.md#express, reference/deploy.md#rollback.

use super::answers::{Change, Event, created, done, events, ready, resources, stack, stack_with, summary, template};
use super::program::Case;
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";
const APPLIED: &str =
    "Resource operation completed using Express Mode. It may continue becoming available in the background.";

fn begin(changes: &[Change]) -> Vec<Step> {
    vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&[]), created(), ready(changes)]
}

/// An update that waits for one queue, and not for seven topics.
fn executed() -> Vec<Step> {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    let mut all = vec![before.clone(), Event::stack(8, "UPDATE_IN_PROGRESS")];
    for (number, name) in ["A", "B", "C", "D", "E", "F", "G"].iter().enumerate() {
        all.push(Event::of(10 + number, name, TOPIC, "UPDATE_IN_PROGRESS"));
        all.push(Event::of(20 + number, name, TOPIC, "UPDATE_COMPLETE").because(APPLIED));
    }
    all.push(Event::of(30, "Queue", QUEUE, "UPDATE_COMPLETE"));
    all.push(Event::stack(40, "UPDATE_COMPLETE").because("Express."));
    vec![
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&all),
        stack("UPDATE_COMPLETE", &[], &[]),
    ]
}

fn modify() -> Vec<Change> {
    vec![Change::new("Modify", "Topic", TOPIC).replaced("False", "Tags")]
}

#[test]
fn an_express_deployment_names_what_may_still_be_stabilizing() {
    let steps = || [begin(&modify()), executed()].concat();
    let run = Case::new("express").deploy(steps(), &["--express", "--format", "json"]);
    insta::assert_snapshot!(run.all());
    // Without it nothing is sent about the mode.
    let run = Case::new("not-express").deploy(steps(), &["--format", "json"]);
    assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.Mode"), "");
    assert!(run.out.contains("\"Express\": false,\n  \"Stabilizing\": []"), "{}", run.out);
    assert!(!run.err.contains("express"), "{}", run.err);
}

#[test]
fn rollback_is_a_part_of_the_change_set() {
    for words in [&["--express", "--disable-rollback"][..], &["--express", "--on-failure", "do-nothing"]] {
        let run = Case::new("express-no-rollback").deploy([begin(&modify()), executed()].concat(), words);
        assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.DisableRollback"), "true", "{}", run.err);
        assert_eq!(run.sent("ExecuteChangeSet", "DisableRollback"), "");
    }
    let run = Case::new("no-rollback").deploy([begin(&modify()), executed()].concat(), &["--disable-rollback"]);
    assert_eq!(run.sent("ExecuteChangeSet", "DisableRollback"), "true");
}

#[test]
fn samconfig_chooses_it_and_the_command_line_wins() {
    let config = "[default.deploy.parameters]\nexpress = true\n";
    let case = || Case::new("express-config").with("samconfig.toml", config);
    let run = case().deploy(begin(&modify()), &["--no-execute"]);
    assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.Mode"), "EXPRESS");
    assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.DisableRollback"), "false");
    let run = case().deploy(begin(&modify()), &["--no-execute", "--no-express"]);
    assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.Mode"), "");
    let config = "[default.deploy.parameters]\nexpress = true\non_failure = \"DELETE\"\n";
    let run =
        Case::new("express-delete-config").with("samconfig.toml", config).deploy(begin(&modify()), &["--no-execute"]);
    assert_eq!(run.sent("CreateChangeSet", "DeploymentConfig.Mode"), "");
    assert!(run.err.contains("note: express mode is off"), "{}", run.err);
}

#[test]
fn a_failed_stack_cannot_be_deleted_in_express_mode() {
    let run = Case::new("express-delete").deploy(vec![], &["--express", "--on-failure", "delete"]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn sync_is_express_by_default() {
    let words = ["sync", "-t", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02"];
    let steps = || [begin(&modify()), executed()].concat();
    let run = Case::new("express-sync").run(steps(), &words);
    assert_eq!((run.status, run.sent("CreateChangeSet", "DeploymentConfig.Mode")), (0, "EXPRESS"), "{}", run.err);
    let run = Case::new("express-sync-off").run(steps(), &[&words[..], &["--no-express"]].concat());
    assert_eq!((run.status, run.sent("CreateChangeSet", "DeploymentConfig.Mode")), (0, ""), "{}", run.err);
    let run = Case::new("express-sync-delete").run(steps(), &[&words[..], &["--on-failure", "delete"]].concat());
    assert_eq!((run.status, run.sent("CreateChangeSet", "DeploymentConfig.Mode")), (0, ""), "{}", run.err);
    assert!(run.err.contains("note: express mode is off"), "{}", run.err);
}

#[test]
fn a_stack_is_deleted_in_express_mode() {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    let all = [
        before.clone(),
        Event::stack(8, "DELETE_IN_PROGRESS"),
        Event::of(9, "Topic", TOPIC, "DELETE_COMPLETE").because(APPLIED),
        Event::of(10, "Queue", QUEUE, "DELETE_COMPLETE"),
        Event::stack(11, "DELETE_COMPLETE"),
    ];
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        resources(&[("Topic", TOPIC, "shop-topic")]),
        template("Resources: {}"),
        events(std::slice::from_ref(&before)),
        done("DeleteStack"),
        events(&all),
    ];
    let run = Case::new("express-delete-stack").delete(steps, &["--yes", "--express", "--format", "json"]);
    assert_eq!((run.status, run.sent("DeleteStack", "DeploymentConfig.Mode")), (0, "EXPRESS"), "{}", run.err);
    assert!(
        run.err.contains("warning: deleted in express mode, resources may still be deleting: Topic\n"),
        "{}",
        run.err
    );
    assert!(run.out.contains("\"Express\": true,\n  \"Stabilizing\": [\n    \"Topic\"\n  ]"), "{}", run.out);
}

#[test]
fn the_way_out_of_a_failed_update_is_named() {
    let stuck = stack_with("UPDATE_FAILED", "<DeploymentConfig><Mode>EXPRESS</Mode></DeploymentConfig>");
    let steps = vec![stuck, summary(&[]), created(), ready(&modify())];
    let run = Case::new("express-stuck").deploy(steps, &["--no-execute"]);
    assert!(
        run.err.contains("= help: deploy the last template that worked with `--express --disable-rollback`"),
        "{}",
        run.err
    );
    let before = Event::stack(7, "UPDATE_COMPLETE");
    let all = [before.clone(), Event::stack(8, "UPDATE_IN_PROGRESS"), Event::stack(9, "UPDATE_FAILED")];
    let steps = [begin(&modify()), vec![events(std::slice::from_ref(&before)), done("ExecuteChangeSet"), events(&all)]]
        .concat();
    let run = Case::new("express-fails").deploy(steps, &["--express", "--disable-rollback"]);
    assert!(run.status == 1 && run.err.contains("with `--express --disable-rollback`"), "{}", run.err);
}

#[test]
fn a_replacement_without_rollback_is_not_executed() {
    let changes = [
        Change::new("Modify", "Topic", TOPIC).replaced("True", "TopicName"),
        Change::new("Modify", "QueueUsers", QUEUE).replaced("Conditional", "KmsMasterKeyId"),
    ];
    for words in [&["--disable-rollback", "--yes"][..], &["--express", "--on-failure", "do-nothing", "--yes"]] {
        let steps = [begin(&changes), vec![done("DeleteChangeSet")]].concat();
        let run = Case::new("replaced").deploy(steps, words);
        assert_eq!(run.status, 1);
        if words.len() == 2 {
            insta::assert_snapshot!(run.told());
        }
    }
    let run = Case::new("perhaps-replaced").deploy(begin(&changes[1..]), &["--disable-rollback", "--no-execute"]);
    assert!(run.status == 0 && run.err.contains("warning[FW1304]: QueueUsers may be replaced"), "{}", run.err);
    let run = Case::new("replaced-with-rollback").deploy(begin(&changes), &["--no-execute"]);
    assert!(run.status == 0 && !run.err.contains("FW1304"), "{}", run.err);
}
