//! `deploy --format json`: one object on standard output, however the run ends.

use serde_json::{Value, json};

use super::answers::{Change, Event, created, done, events, fails, no_stack, ready};
use super::program::{Case, Run};

const QUEUE: &str = "AWS::SQS::Queue";
const STACK: &str = "AWS::CloudFormation::Stack";
const NESTED: &str = "arn:aws:cloudformation:eu-west-1:111122223333:stack/shop-Network/7";

fn object(run: &Run) -> Value {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}\n{}", run.out, run.err))
}

#[test]
fn changes_have_the_line_and_the_items_of_their_resource() {
    let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "QueueUsers", QUEUE)])];
    let object = object(&Case::new("object-changes").deploy(steps, &["--no-execute", "--format", "json"]));
    let change = &object["Changes"][0];
    assert_eq!(change["source"], "t.yaml:11 [Name=Users]");
    assert_eq!((&change["file"], &change["line"]), (&json!("t.yaml"), &json!(11)));
    assert_eq!(change["items"], json!([{"variable": "Name", "item": "Users"}]));
}

#[test]
fn a_failure_has_the_line_and_the_items_of_its_resource() {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let steps = vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "QueueUsers", QUEUE)]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[
            before,
            Event::stack(1, "CREATE_IN_PROGRESS"),
            Event::of(2, "QueueUsers", QUEUE, "CREATE_FAILED").because("No more queues"),
            Event::stack(3, "ROLLBACK_COMPLETE"),
        ]),
    ];
    let run = Case::new("object-failure").deploy(steps, &["--format", "json"]);
    let object = object(&run);
    assert_eq!((run.status, &object["Result"]), (1, &json!("failed")), "{}", run.err);
    let failure = &object["Failures"][0];
    assert_eq!(failure["logical_id"], "QueueUsers");
    assert_eq!(failure["reason"], "No more queues");
    assert_eq!(failure["source"], "t.yaml:11 [Name=Users]");
    assert!(object["Reason"].as_str().is_some_and(|reason| reason.contains("No more queues")), "{object}");
}

#[test]
fn a_refusal_of_the_service_is_an_object() {
    let sentence = "Template error: resource QueueUsers does not support attribute type Nope in Fn::GetAtt";
    let steps = vec![no_stack(), fails("CreateChangeSet", "ValidationError", sentence)];
    let run = Case::new("object-refused").deploy(steps, &["--format", "json"]);
    let object = object(&run);
    assert_eq!((run.status, &object["Result"]), (1, &json!("refused")), "{}", run.err);
    assert_eq!((&object["StackName"], &object["Region"]), (&json!("shop"), &json!("eu-west-1")));
    assert!(object["Reason"].as_str().is_some_and(|reason| reason.contains(sentence)), "{object}");
    assert_eq!(object["Failures"][0]["source"], "t.yaml:11 [Name=Users]");
}

#[test]
fn every_other_end_is_an_object() {
    let denied = fails("DescribeStacks", "AccessDenied", "User is not authorized to perform: cloudformation");
    let run = Case::new("object-denied").deploy(vec![denied], &["--format", "json"]);
    assert_eq!((run.status, &object(&run)["Result"]), (5, &json!("refused")), "{}", run.err);
    let broken = Case::new("object-invalid").with("t.yaml", "Resources: {T: {}}\n");
    let run = broken.deploy(vec![], &["--format", "json"]);
    let invalid = object(&run);
    assert_eq!((run.status, &invalid["Result"]), (2, &json!("invalid")), "{}", run.err);
    assert_eq!(invalid["Reason"], "resource T has no Type", "{}", run.err);
    assert!(broken.deploy(vec![], &[]).out.is_empty());
}

#[test]
fn nested_resources_have_path_and_line_in_every_order_of_events() {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    // The nested stack's own event is older than the one of the parent that names it.
    let steps = vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "Network", STACK)]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[
            before,
            Event::stack(1, "CREATE_IN_PROGRESS"),
            Event::of(4, "Network", STACK, "CREATE_FAILED").physical(NESTED).because("Embedded"),
            Event::stack(5, "ROLLBACK_COMPLETE"),
        ]),
        events(&[
            Event::of(2, "shop-Network", STACK, "CREATE_IN_PROGRESS").physical(NESTED).inside(NESTED),
            Event::of(3, "Subnetb", QUEUE, "CREATE_FAILED").inside(NESTED).because("No more queues"),
        ]),
    ];
    let parent =
        "Resources:\n  Network:\n    Type: AWS::CloudFormation::Stack\n    Properties: {TemplateURL: network.yaml}\n";
    let child = "Transform: AWS::LanguageExtensions\nResources:\n  Fn::ForEach::Zones:\n    - Zone\n    - [a, b]\n    - Subnet${Zone}: {Type: AWS::SQS::Queue}\n";
    let case = Case::new("object-nested").with("t.yaml", parent).with("network.yaml", child);
    let bucket = ["--s3-bucket", "file:store", "--bucket-name", "artifacts"];
    let run = case.deploy(steps, &[&bucket[..], &["--format", "json", "--message-format", "json"]].concat());
    let told: Vec<Value> = run.err.lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    let of = |id: &str| {
        let event = told.iter().find(|line| line["event"]["logical_id"] == id);
        event.map_or_else(|| panic!("no event of {id}: {}", run.err), |line| line["event"].clone())
    };
    assert_eq!((&of("shop-Network")["path"], &of("shop-Network")["source"]), (&json!(["Network"]), &json!("t.yaml:2")));
    let failed = of("Subnetb");
    assert_eq!(
        (&failed["path"], &failed["file"], &failed["line"]),
        (&json!(["Network"]), &json!("network.yaml"), &json!(6))
    );
    let failure = &object(&run)["Failures"][0];
    assert_eq!((&failure["path"], &failure["source"]), (&json!(["Network"]), &json!("network.yaml:6 [Zone=b]")));
}
