//! Deployments against moto: created, left alone, updated, deleted, created again. It creates stacks
//! immediately and computes no outputs; these, and what happens on the way, are played by the scripted server
//! of `tests/deploy`.

use super::moto::Moto;
use super::program::{Folder, Run};

const TEMPLATE: &str = "Parameters:
  Stage: {Type: String}
  Owner: {Type: String, Default: nobody}
Resources:
  Topic:
    Type: AWS::SNS::Topic
    Properties: {TopicName: !Sub 'formwork-${Stage}-${Owner}'}
";

fn deploy(moto: &Moto, folder: &Folder, words: &[&str]) -> Run {
    let all = ["deploy", "t.yaml", "--stack-name", "formwork-shop", "--poll-delay", "0.05"];
    moto.run(folder, &[&all, words].concat())
}

/// Status, parameters and topics of the stack, as boto3 returns them.
fn told(moto: &Moto) -> String {
    moto.boto3(
        "import boto3
stack = boto3.client('cloudformation').describe_stacks(StackName='formwork-shop')['Stacks'][0]
names = [one['TopicArn'].split(':')[-1] for one in boto3.client('sns').list_topics()['Topics']]
topics = [name for name in names if name.startswith('formwork-')]
print(stack['StackStatus'], sorted(one['ParameterValue'] for one in stack['Parameters']), topics, end='')",
    )
}

pub(crate) fn from_the_first_to_the_last(moto: &Moto) {
    let folder = Folder::new("deploy").with("t.yaml", TEMPLATE);
    let run = deploy(moto, &folder, &["--parameter-overrides", "Stage=a", "Owner=ann", "--tags", "Team=shop"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("+ Add      Topic") && run.err.contains("t.yaml:5"), "{}", run.err);
    assert_eq!(told(moto), "CREATE_COMPLETE ['a', 'ann'] ['formwork-a-ann']");

    // A value that is not passed is kept, and so nothing changes.
    let run = deploy(moto, &folder, &[]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("No changes to deploy. Stack formwork-shop is up to date"), "{}", run.err);
    assert_eq!(deploy(moto, &folder, &["--fail-on-empty-changeset"]).status, 3);
    // The change sets that found nothing to change are gone.
    assert_eq!(change_sets(moto, "formwork-shop"), "0");

    let run = deploy(moto, &folder, &["--parameter-overrides", "Stage=b", "--no-execute"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert_eq!(told(moto), "CREATE_COMPLETE ['a', 'ann'] ['formwork-a-ann']");
    let more = "  More: {Type: AWS::SNS::Topic, Properties: {TopicName: formwork-more}}\n";
    let folder = folder.with("t.yaml", &format!("{TEMPLATE}{more}"));
    let run = deploy(moto, &folder, &["--parameter-overrides", "Stage=b"]);
    assert_eq!(run.status, 0, "{}", run.err);
    // Moto does not rename a topic.
    assert_eq!(told(moto), "UPDATE_COMPLETE ['ann', 'b'] ['formwork-a-ann', 'formwork-more']");

    moto.boto3("import boto3; boto3.client('cloudformation').delete_stack(StackName='formwork-shop')");
    let folder = folder.with("t.yaml", TEMPLATE);
    // Of the stack that is gone nothing is kept.
    let run = deploy(moto, &folder, &[]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(run.err.contains("`Parameters: [Stage] must have values`"), "{}", run.err);
    let run = deploy(moto, &folder, &["--parameter-overrides", "Stage=c", "--format", "json"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let result: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&result["Result"], &result["Status"]), (&"deployed".into(), &"CREATE_COMPLETE".into()));
    assert_eq!(told(moto), "CREATE_COMPLETE ['c', 'nobody'] ['formwork-c-nobody']");
}

/// How many change sets of a stack are left, as boto3 counts them.
fn change_sets(moto: &Moto, stack: &str) -> String {
    moto.boto3(&format!(
        "import boto3
sets = boto3.client('cloudformation').list_change_sets(StackName='{stack}')['Summaries']
print(len([one for one in sets if one.get('ExecutionStatus') != 'EXECUTE_COMPLETE']), end='')"
    ))
}

/// What CloudFormation rejects is an object for programs, too, and leaves no change set.
pub(crate) fn what_is_refused(moto: &Moto) {
    let folder = Folder::new("deploy-refused").with("t.yaml", TEMPLATE);
    let words = ["deploy", "t.yaml", "--stack-name", "formwork-none", "--poll-delay", "0.05", "--format", "json"];
    let more = ["--parameter-overrides", "Stage=a", "--change-set-type", "update"];
    let run = moto.run(&folder, &[&words[..], &more].concat());
    assert_eq!(run.status, 1, "{run:?}");
    let result: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&result["Result"], &result["StackName"]), (&"refused".into(), &"formwork-none".into()));
    assert!(result["Reason"].as_str().is_some_and(|message| message.contains("formwork-none")), "{result}");
}

pub(crate) fn with_files_in_a_bucket(moto: &Moto) {
    let template = "Resources:
  Tools:
    Type: AWS::Lambda::LayerVersion
    Properties: {Content: layer}
";
    let folder = Folder::new("deploy-files").with("t.yaml", template);
    std::fs::create_dir_all(folder.0.join("layer")).expect("a directory");
    let folder = folder.with("layer/a.py", "x = 1\n");
    moto.boto3("import boto3; boto3.client('s3').create_bucket(Bucket='formwork-deploy')");
    let words = ["deploy", "t.yaml", "--stack-name", "formwork-files", "--poll-delay", "0.05", "--s3-bucket"];
    let run = moto.run(&folder, &[&words[..], &["formwork-deploy", "--verbose"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("100 % uploaded "), "{}", run.err);
    let layers = moto.boto3(
        "import boto3
keys = [one['Key'] for one in boto3.client('s3').list_objects_v2(Bucket='formwork-deploy')['Contents']]
layers = [one for one in boto3.client('lambda').list_layers()['Layers']]
print(len(keys), len(layers), end='')",
    );
    assert_eq!(layers, "1 1");
    let run = moto.run(&folder, &[&words[..], &["formwork-none"]].concat());
    assert_eq!(run.status, 4, "{}", run.err);
    assert!(run.err.contains("S3 Bucket does not exist."), "{}", run.err);
}
