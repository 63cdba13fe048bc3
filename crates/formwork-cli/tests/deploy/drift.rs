//! Change sets that revert drift.
//!
//! Holds reference/deploy.md#drift.

use super::answers::{Change, created, no_stack, ready, stack, summary};
use super::program::Case;
use super::server::{Answer, Step};

const TOPIC: &str = "AWS::SNS::Topic";
const QUEUE: &str = "AWS::SQS::Queue";

const TEMPLATE: &str = "Parameters:
  Password: {Type: String, NoEcho: true, Default: never-to-be-seen}
Resources:
  Queue:
    Type: AWS::SQS::Queue
    Properties:
      VisibilityTimeout: 30
  Topic: {Type: AWS::SNS::Topic}
  Other: {Type: AWS::SNS::Topic}
";

fn details(target: &str) -> String {
    format!("<member><Target>{target}</Target></member>")
}

fn drifted() -> Step {
    let timeout = details(
        "<Attribute>Properties</Attribute><Name>VisibilityTimeout</Name><Path>/Properties/VisibilityTimeout</Path>\
         <AttributeChangeType>Modify</AttributeChangeType><BeforeValue>60</BeforeValue>\
         <BeforeValueFrom>ACTUAL_STATE</BeforeValueFrom><AfterValue>30</AfterValue><AfterValueFrom>TEMPLATE</AfterValueFrom>\
         <Drift><PreviousValue>30</PreviousValue><ActualValue>60</ActualValue></Drift>\
         <RequiresRecreation>Never</RequiresRecreation>",
    );
    let secret = details(
        "<Attribute>Properties</Attribute><Name>Note</Name><BeforeValue>never-to-be-seen</BeforeValue><AfterValue>x</AfterValue>",
    );
    let later = details(
        "<Attribute>Properties</Attribute><Name>DisplayName</Name><Path>/Properties/DisplayName</Path>\
         <AfterValue>{{changeSet:KNOWN_AFTER_APPLY}}</AfterValue>",
    );
    let ignored = "<ResourceDriftIgnoredAttributes><member><Path>/Properties/KmsMasterKeyId</Path>\
                   <Reason>MANAGED_BY_AWS</Reason></member></ResourceDriftIgnoredAttributes>";
    let queue = Change::new("Modify", "Queue", QUEUE).xml_with(&format!(
        "<ResourceDriftStatus>MODIFIED</ResourceDriftStatus><Details>{timeout}{secret}</Details>{ignored}"
    ));
    let topic = Change::new("Modify", "Topic", TOPIC)
        .xml_with(&format!("<ResourceDriftStatus>IN_SYNC</ResourceDriftStatus><Details>{later}</Details>"));
    let sync = Change::new("SyncWithActual", "Other", TOPIC)
        .xml_with("<ResourceDriftStatus>UNSUPPORTED</ResourceDriftStatus>");
    let mut step = ready(&[queue, topic, sync, Change::new("Add", "New", QUEUE)]);
    if let Answer::Result(xml) = &mut step.answer {
        *xml += "<StackDriftStatus>DRIFTED</StackDriftStatus>";
    }
    step
}

fn steps() -> Vec<Step> {
    vec![stack("UPDATE_COMPLETE", &[("Password", "****")], &[]), summary(&["Password"]), created(), drifted()]
}

#[test]
fn drift_is_shown_with_its_values() {
    let case = Case::new("drift").with("t.yaml", TEMPLATE);
    let run = case.deploy(steps(), &["--revert-drift", "--no-execute", "--format", "json"]);
    insta::assert_snapshot!(run.all());
    let run = case.deploy(steps(), &["--deployment-mode", "REVERT_DRIFT", "--no-execute"]);
    assert_eq!(run.sent("CreateChangeSet", "DeploymentMode"), "REVERT_DRIFT");
    let run = case.deploy(steps(), &["--revert-drift", "--no-execute", "--message-format", "json"]);
    assert!(run.err.contains("\"actual\":\"60\""), "{}", run.err);
}

#[test]
fn a_stack_that_does_not_exist_has_no_drift() {
    let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "Topic", TOPIC)])];
    let run = Case::new("drift-create").deploy(steps, &["--revert-drift", "--no-execute", "--format", "json"]);
    assert_eq!((run.status, run.sent("CreateChangeSet", "DeploymentMode")), (0, ""), "{}", run.err);
    assert!(run.err.contains("note: stack shop does not exist: there is no drift to revert"), "{}", run.err);
    assert!(run.out.contains("\"StackDrift\": null") && !run.out.contains("ignored_drift"), "{}", run.out);
}

#[test]
fn what_does_not_go_with_it_is_refused() {
    for words in [
        &["--include-nested-stacks"][..],
        &["--import-existing-resources"],
        &["--resources-to-import", "t.yaml"],
        &["--change-set-type", "create"],
    ] {
        for mode in [&["--revert-drift"][..], &["--deployment-mode", "REVERT_DRIFT"]] {
            let run = Case::new("drift-refused").deploy(vec![], &[mode, words].concat());
            assert_eq!(run.status, 2, "{words:?}: {}", run.err);
        }
    }
    let words = ["sync", "-t", "t.yaml", "--stack-name", "shop", "--revert-drift"];
    assert_eq!(Case::new("drift-sync").run(vec![], &words).status, 2);
}
