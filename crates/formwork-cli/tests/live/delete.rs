//! Stacks that moto deletes, buckets included, and loops that are unrolled because moto cannot run them.

use super::moto::Moto;
use super::program::{Folder, Run};

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Parameters:
  Names: {Type: CommaDelimitedList, Default: 'orders,users'}
Resources:
  Logs:
    Type: AWS::S3::Bucket
    Properties: {BucketName: formwork-delete-logs, VersioningConfiguration: {Status: Enabled}}
  Fn::ForEach::Topics:
    - Name
    - !Ref Names
    - Topic${Name}:
        Type: AWS::SNS::Topic
        Properties: {TopicName: !Sub 'formwork-delete-${Name}'}
";

fn delete(moto: &Moto, folder: &Folder, words: &[&str]) -> Run {
    let all = ["delete", "--stack-name", "formwork-gone", "--poll-delay", "0.05"];
    moto.run(folder, &[&all, words].concat())
}

/// Topics, buckets and stacks of this test that exist, as boto3 lists them.
fn found(moto: &Moto) -> String {
    moto.boto3(
        "import boto3
topics = [one['TopicArn'].split(':')[-1] for one in boto3.client('sns').list_topics()['Topics']]
buckets = [one['Name'] for one in boto3.client('s3').list_buckets()['Buckets']]
stacks = [one['StackName'] for one in boto3.client('cloudformation').describe_stacks()['Stacks']]
print(sorted(one for one in topics + buckets if one.startswith('formwork-delete')), 'formwork-gone' in stacks, end='')",
    )
}

pub(crate) fn loops_are_unrolled_and_all_is_deleted(moto: &Moto) {
    let folder = Folder::new("delete").with("t.yaml", TEMPLATE);
    let words = ["deploy", "t.yaml", "--stack-name", "formwork-gone", "--poll-delay", "0.05", "--expand"];
    let run = moto.run(&folder, &words);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.out.ends_with("Successfully created/updated stack - formwork-gone\n"), "{}", run.out);
    assert!(run.err.contains("t.yaml:11 [Name=orders]"), "{}", run.err);
    assert_eq!(found(moto), "['formwork-delete-logs', 'formwork-delete-orders', 'formwork-delete-users'] True");
    // The values of this run count.
    let run = moto.run(&folder, &[&words[..], &["--parameter-overrides", "Names=orders,users,more"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(found(moto).contains("formwork-delete-more"), "{}", found(moto));

    let run = delete(moto, &folder, &[]);
    assert_eq!(run.status, 2, "{}", run.err);
    assert!(run.err.contains("! - Delete   Logs") && run.err.contains("`--yes`"), "{}", run.err);
    assert!(found(moto).ends_with("True"), "{}", found(moto));

    // More versions than one request deletes, and a delete marker.
    moto.boto3(
        "import boto3
from concurrent.futures import ThreadPoolExecutor
s3 = boto3.client('s3')
# Moto leaves this property of a bucket out.
s3.put_bucket_versioning(Bucket='formwork-delete-logs', VersioningConfiguration={'Status': 'Enabled'})
put = lambda at: s3.put_object(Bucket='formwork-delete-logs', Key='k/%d' % (at % 600), Body=b'x')
list(ThreadPoolExecutor(8).map(put, range(1200)))
s3.delete_object(Bucket='formwork-delete-logs', Key='k/1')",
    );
    let run = delete(moto, &folder, &["--yes", "--force-empty-buckets"]);
    assert_eq!((run.status, run.out.as_str()), (0, "Successfully deleted stack - formwork-gone\n"), "{}", run.err);
    assert!(run.err.contains("Bucket Logs is empty: 1201 object versions deleted"), "{}", run.err);
    assert_eq!(found(moto), "[] False");

    let run = delete(moto, &folder, &["--format", "json"]);
    let result: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((run.status, &result["Result"]), (0, &"no-stack".into()), "{}", run.err);
}
