//! What users of the AWS CLI and SAM CLI are used to: names of options, lines, and what fits a terminal.
//!
//! Holds reference/deploy.md#habits.

use super::answers::{Change, Event, created, done, events, fails, interrupted, no_stack, ready, stack, summary};
use super::program::Case;
use super::server::Step;

const TOPIC: &str = "AWS::SNS::Topic";

fn create() -> Vec<Step> {
    let before = Event::stack(0, "REVIEW_IN_PROGRESS");
    let reason = "Resource handler returned message: \"the topic shop-orders already exists in this account and Region\" (RequestToken: 7, HandlerErrorCode: AlreadyExists)";
    vec![
        no_stack(),
        created(),
        ready(&[Change::new("Add", "Topic", TOPIC)]),
        events(std::slice::from_ref(&before)),
        done("ExecuteChangeSet"),
        events(&[
            before,
            Event::of(1, "Topic", TOPIC, "CREATE_IN_PROGRESS").because(reason),
            Event::of(2, &"Queue".repeat(20), "AWS::SQS::Queue", "CREATE_COMPLETE"),
            Event::stack(3, "CREATE_COMPLETE"),
        ]),
        stack("CREATE_COMPLETE", &[], &[]),
    ]
}

#[test]
fn other_names_of_options() {
    let run = Case::new("aliases").run(
        create(),
        &["deploy", "--template", "t.yaml", "--stack-name", "shop", "--poll-delay", "0.02", "--output", "json"],
    );
    let result: serde_json::Value = serde_json::from_str(&run.out).expect("JSON alone");
    assert_eq!((run.status, &result["Result"]), (0, &"deployed".into()), "{}", run.err);
    let steps = vec![no_stack(), created(), ready(&[])];
    let run = Case::new("alias-no-execute").deploy(steps, &["--no-execute-changeset"]);
    assert!(run.status == 0 && run.out.is_empty(), "{}", run.err);
}

#[test]
fn the_managed_bucket_of_samconfig_is_not_looked_for() {
    let config = "[default.deploy.parameters]\nresolve_s3 = true\n";
    let template = "Resources: {Tools: {Type: AWS::Lambda::LayerVersion, Properties: {Content: src}}}\n";
    let case = Case::new("no-resolve").with("samconfig.toml", config).with("t.yaml", template).with("src/a.py", "");
    let run = case.deploy(vec![no_stack()], &["--no-resolve-s3"]);
    assert!(run.status == 4 && run.err.contains("--s3-bucket"), "{}", run.err);
}

#[test]
fn events_fit_the_terminal() {
    let run = Case::new("width").deploy_and_answer(create(), "", &[]);
    assert_eq!(run.status, 0, "{}", run.out);
    for line in run.out.lines().filter(|line| !line.contains("QueueQueue")) {
        assert!(line.chars().count() <= 100, "{line}");
    }
    insta::assert_snapshot!(run.out);
}

/// What is left at the service is named, whichever step is interrupted.
#[test]
fn ctrl_c_at_each_step_of_a_deployment() {
    let update = || {
        vec![
            stack("UPDATE_COMPLETE", &[], &[]),
            summary(&["Stage"]),
            created(),
            ready(&[Change::new("Modify", "Topic", TOPIC).replaced("False", "Tags")]),
            events(&[Event::stack(0, "UPDATE_COMPLETE")]),
            done("ExecuteChangeSet"),
            events(&[Event::stack(0, "UPDATE_COMPLETE"), Event::stack(1, "UPDATE_COMPLETE")]),
            stack("UPDATE_COMPLETE", &[], &[]),
        ]
    };
    let wants = [
        "nothing was deployed",
        "nothing was deployed",
        "the change set is deleted, nothing was executed",
        "the change set is deleted, nothing was executed",
        "the change set is deleted, nothing was executed",
        "the deployment continues in CloudFormation",
    ];
    for (at, want) in wants.iter().enumerate() {
        let mut steps = update();
        steps.truncate(at + 1);
        steps[at] = interrupted(steps[at].clone());
        if want.contains("deleted") {
            steps.push(done("DeleteChangeSet"));
        }
        let run = Case::new(&format!("deploy-ctrl-c-{at}")).deploy(steps, &[]);
        assert_eq!(run.status, 130, "{at}: {}", run.err);
        assert!(run.err.contains(want), "{at}: {}", run.err);
    }
    // What is asked when all is done changes nothing about it.
    let mut steps = update();
    steps[7] = interrupted(steps[7].clone());
    let run = Case::new("deploy-ctrl-c-outputs").deploy(steps, &[]);
    assert_eq!(run.status, 0, "{}", run.err);
}

#[test]
fn a_template_that_was_packaged_with_other_values_names_both() {
    let template = "Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList}
Metadata:
  Formwork:
    Collections: {Names: [a, b]}
Resources:
  Fn::ForEach::Topics: [Name, !Ref Names, {'T${Name}': {Type: AWS::SNS::Topic}}]
";
    // Without `package --record` the generated Mapping has the items.
    let mapped = "Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList}
Mappings:
  SAMContentTools:
    a: {S3Bucket: bucket, S3Key: one}
    b: {S3Bucket: bucket, S3Key: two}
Resources:
  Fn::ForEach::Tools:
    - Name
    - !Ref Names
    - Tool${Name}:
        Type: AWS::Lambda::LayerVersion
        Properties:
          Content:
            S3Bucket: !FindInMap [SAMContentTools, !Ref Name, S3Bucket]
            S3Key: !FindInMap [SAMContentTools, !Ref Name, S3Key]
";
    let all = [("other-values", template, vec![]), ("other-values-mapped", mapped, vec![])];
    for (name, template, steps) in all {
        let case = Case::new(name).with("t.yaml", template);
        let run = case.deploy(steps, &["--parameter-overrides", "Names=a,c"]);
        assert_eq!(run.status, 2, "{}", run.err);
        for words in ["packaged with \"a\", \"b\"", "the items are now \"a\", \"c\"", "package the template again"] {
            assert!(run.err.contains(words), "{name}: {words}: {}", run.err);
        }
    }
}

#[test]
fn certificates_that_are_not_verified_are_a_warning() {
    let refused = || vec![fails("DescribeStacks", "AccessDenied", "no")];
    let run = Case::new("no-verify").deploy(refused(), &["--no-verify-ssl"]);
    assert!(run.status == 5 && run.err.starts_with("warning: --no-verify-ssl: "), "{}", run.err);
    let run = Case::new("no-bundle").deploy(vec![], &["--ca-bundle", "none.pem"]);
    assert!(run.status == 2 && run.err.contains("--ca-bundle names none.pem, which cannot be read"), "{}", run.err);
}
