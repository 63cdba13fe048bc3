//! Existing resources become those of a stack.
//!
//! Holds reference/deploy.md#import.

use super::answers::{
    Change, Event, change_set, created, done, events, fails, identifiers, no_stack, ready, stack, summary,
};
use super::program::{Case, Run};
use super::server::Step;

const QUEUE: &str = "AWS::SQS::Queue";

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Resources:
  Topic:
    Type: AWS::SNS::Topic
  Fn::ForEach::Queues:
    - Name
    - [Orders, Users]
    - Queue${Name}:
        Type: AWS::SQS::Queue
        DeletionPolicy: Retain
        UpdateReplacePolicy: Retain
";

const OBJECT: &str = "{\"QueueOrders\": {\"QueueUrl\": \"https://sqs/orders\"}}\n";
const LIST: &str = "- ResourceType: AWS::SQS::Queue
  LogicalResourceId: QueueOrders
  ResourceIdentifier: {QueueUrl: https://sqs/orders}
- LogicalResourceId: QueueUsers
  ResourceIdentifier: {QueueUrl: https://sqs/users}
";

fn deploy(name: &str, file: &str, steps: Vec<Step>, words: &[&str]) -> Run {
    let case = Case::new(name).with("t.yaml", TEMPLATE).with("imports.yaml", file);
    case.deploy(steps, &[&["--resources-to-import", "imports.yaml"], words].concat())
}

#[test]
fn a_file_names_what_is_imported() {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    let steps = vec![
        stack("UPDATE_COMPLETE", &[], &[]),
        identifiers(&[(QUEUE, "QueueOrders", "QueueUrl")]),
        created(),
        ready(&[Change::new("Import", "QueueOrders", QUEUE)]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, Event::stack(8, "IMPORT_IN_PROGRESS"), Event::stack(9, "IMPORT_COMPLETE")]),
        stack("IMPORT_COMPLETE", &[], &[]),
    ];
    let run = deploy("import-list", LIST, steps, &[]);
    insta::assert_snapshot!(run.all());
}

#[test]
fn what_is_not_deployed_is_not_imported() {
    let template = "Parameters: {Stage: {Type: String, Default: dev}}
Conditions: {IsProd: !Equals [!Ref Stage, prod]}
Resources:
  Store: {Type: AWS::S3::Bucket, Condition: IsProd, DeletionPolicy: Retain}
  Topic: {Type: AWS::SNS::Topic}
";
    let case =
        Case::new("import-condition").with("t.yaml", template).with("i.json", "{\"Store\": {\"BucketName\": \"x\"}}");
    let run = case.deploy(vec![], &["--resources-to-import", "i.json"]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(
        run.err.contains("error[FW1306]: Store is imported, and its condition is false\n --> t.yaml:4:3"),
        "{}",
        run.err
    );
}

#[test]
fn an_import_that_rolls_back_is_a_failure() {
    let before = Event::stack(7, "UPDATE_COMPLETE");
    let steps = vec![
        no_stack(),
        // That the properties are not known is not an error.
        fails("GetTemplateSummary", "ValidationError", "No."),
        created(),
        ready(&[Change::new("Import", "QueueOrders", QUEUE)]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[before, Event::stack(8, "IMPORT_ROLLBACK_COMPLETE")]),
    ];
    let run = deploy("import-rollback", OBJECT, steps, &[]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert_eq!(run.sent("CreateChangeSet", "ChangeSetType"), "IMPORT");
    assert_eq!(run.sent("CreateChangeSet", "ResourcesToImport.member.1.ResourceType"), QUEUE);
}

#[test]
fn everything_that_is_wrong_with_the_file_is_reported_at_once() {
    let file = "- {LogicalResourceId: QueueOrder, ResourceIdentifier: {QueueUrl: u}}
- {LogicalResourceId: QueueOrders, ResourceType: 'AWS::SNS::Topic', ResourceIdentifier: {QueueUrl: 7}}
- {LogicalResourceId: QueueOrders, ResourceIdentifier: {QueueUrl: u}}
- {LogicalResourceId: QueueUsers}
- {LogicalResourceId: Topic, ResourceIdentifier: {TopicArn: a}}
";
    insta::assert_snapshot!(deploy("import-wrong", file, vec![], &[]).told());
    let many: Vec<String> = (0..201).map(|number| format!("Q{number}: {{QueueUrl: u}}\n")).collect();
    let many = many.concat();
    let run = deploy("import-many", &many, vec![], &["--message-format", "short"]);
    assert!(run.status == 2 && run.err.contains("imports.yaml names 201 resources"), "{}", run.err);
    for shape in ["7", "[1]", "Queue: 1\n"] {
        let run = deploy("import-shape", shape, vec![], &[]);
        assert!(run.status == 2 && run.err.contains("does not name resources to import"), "{}", run.err);
    }
    let case = Case::new("import-missing");
    let run = case.deploy(vec![], &["--resources-to-import", "file://gone.json"]);
    assert!(run.status == 2 && run.err.contains("gone.json: no such file"), "{}", run.err);
}

#[test]
fn a_property_that_identifies_nothing_is_reported_before_the_change_set() {
    let steps = vec![no_stack(), identifiers(&[(QUEUE, "QueueOrders", "QueueName")])];
    let run = deploy("import-property", OBJECT, steps, &[]);
    insta::assert_snapshot!(run.told());
}

#[test]
fn what_nothing_documents_is_refused() {
    for words in [
        &["--import-existing-resources"][..],
        &["--include-nested-stacks"],
        &["--change-set-type", "update"],
        &["--express"],
        &["--replace-failed"],
    ] {
        let run = deploy("import-refused", OBJECT, vec![], words);
        assert_eq!(run.status, 2, "{words:?}: {}", run.err);
    }
}

#[test]
fn existing_resources_are_imported_on_request() {
    let steps = vec![stack("UPDATE_COMPLETE", &[], &[]), summary(&[]), created(), ready(&[])];
    let run = Case::new("import-existing").deploy(steps, &["--import-existing-resources", "--no-execute"]);
    assert_eq!((run.status, run.sent("CreateChangeSet", "ImportExistingResources")), (0, "true"), "{}", run.err);
    assert_eq!(run.sent("CreateChangeSet", "ChangeSetType"), "UPDATE");
    let sentence = "CloudFormation is attempting to import some resources because they already exist in your account. The resources must have the DeletionPolicy attribute set to 'Retain' or 'RetainExceptOnCreate' in the template for successful import. The affected resources are QueueUsers ({QueueUrl=u, X=y}), Topic ({TopicArn=a})";
    let steps = vec![no_stack(), created(), change_set("FAILED", sentence, &[]), done("DeleteChangeSet")];
    let run = Case::new("import-policy").deploy(steps, &["--import-existing-resources"]);
    insta::assert_snapshot!(run.told());
}
