//! Local nested templates are checked before anything is uploaded, with the values that are deployed.

use super::answers::{Change, created, no_stack, ready, stack, summary};
use super::program::Case;

const BUCKET: [&str; 4] = ["--s3-bucket", "file:store", "--bucket-name", "artifacts"];

const PARENT: &str = "Parameters:
  Size: {Type: Number, Default: 3}
  Password: {Type: String, NoEcho: true, Default: never-to-be-seen}
Resources:
  Network:
    Type: AWS::CloudFormation::Stack
    Properties:
      TemplateURL: net/network.yaml
      Parameters: {Size: !Ref Size, Secret: !Ref Password}
";

const CHILD: &str = "Parameters:
  Size: {Type: Number, MaxValue: 5}
  Secret: {Type: String, AllowedPattern: '[a-z-]+'}
Resources:
  Topic: {Type: AWS::SNS::Topic}
";

fn case(name: &str, child: &str) -> Case {
    Case::new(name).with("t.yaml", PARENT).with("net/network.yaml", child)
}

#[test]
fn a_broken_one_is_not_uploaded() {
    let child = format!("{CHILD}  Broken: {{Type: AWS::SNS::Topic, Properties: {{TopicName: !Ref Nowhere}}}}\n");
    let case = case("nested-broken", &child);
    let run = case.deploy(vec![no_stack()], &BUCKET);
    assert_eq!(run.status, 2, "{}", run.err);
    insta::assert_snapshot!(run.told());
    assert!(!case.exists("store"), "nothing is uploaded");
}

#[test]
fn what_it_is_passed_is_what_is_deployed() {
    let run = case("nested-passed", CHILD)
        .deploy(vec![no_stack()], &[&BUCKET[..], &["--parameter-overrides", "Size=9"]].concat());
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(run.err.contains("`Parameter 'Size' must be a number not greater than 5`"), "{}", run.err);
    // The same when the stack keeps the value.
    let kept =
        vec![stack("CREATE_COMPLETE", &[("Size", "8"), ("Password", "****")], &[]), summary(&["Size", "Password"])];
    let run = case("nested-kept", CHILD).deploy(kept, &BUCKET);
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(run.err.contains("the value \"8\" of parameter Size"), "{}", run.err);
}

#[test]
fn a_right_one_is_uploaded() {
    let case = case("nested-right", CHILD);
    let steps = vec![no_stack(), created(), ready(&[Change::new("Add", "Network", "AWS::CloudFormation::Stack")])];
    let run = case.deploy(steps, &[&BUCKET[..], &["--no-execute"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(case.exists("store"), "the nested template is uploaded");
}

#[test]
fn a_reference_to_an_output_that_it_lacks_is_refused_once() {
    let parent = format!("{PARENT}Outputs: {{Topic: {{Value: !GetAtt Network.Outputs.TopicArn}}}}\n");
    let case = Case::new("nested-output").with("t.yaml", &parent).with("net/network.yaml", CHILD);
    let run = case.deploy(vec![no_stack()], &BUCKET);
    assert_eq!(run.status, 2, "{}", run.err);
    let message = "error[FW0203]: stack Network has no output TopicArn: net/network.yaml does not declare it";
    assert_eq!(run.err.matches(message).count(), 1, "{}", run.err);
    assert!(!case.exists("store"), "nothing is uploaded");
}
