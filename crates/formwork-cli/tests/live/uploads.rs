//! Packages that are uploaded to buckets, with boto3 as the second opinion.

use serde_json::Value;

use crate::moto::Moto;
use crate::program::Folder;

const TEMPLATE: &str = "Resources:
  Layer: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: ./src}}
  Api: {Type: AWS::Serverless::Api, Properties: {StageName: x, DefinitionUri: large}}
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}
";

/// More than one part.
const LARGE: usize = (9 << 20) + 1;

fn project(name: &str) -> Folder {
    let folder = Folder::new(name).with("t.yaml", TEMPLATE);
    std::fs::create_dir(folder.0.join("src")).expect("a folder");
    folder
        .with("src/x.py", "x = 1\n")
        .with("child.yaml", "Resources: {Topic: {Type: AWS::SNS::Topic}}\n")
        .with("large", &"0123456789".repeat(LARGE / 10 + 1)[..LARGE])
}

/// What boto3 finds in a bucket: objects by key, and what is open.
fn found(moto: &Moto, bucket: &str) -> Value {
    moto.python("buckets.py", &[bucket])
}

pub(crate) fn what_is_uploaded_is_there(moto: &Moto) {
    let folder = project("s3");
    let words = ["package", "t.yaml", "--s3-bucket", "uploads", "-o", "out.yaml", "--verbose"];
    let run = moto.run(&folder, &[&words[..], &["--s3-prefix", "p", "--metadata", "team=x"]].concat());
    assert_eq!(run.status, 0, "{}", run.err);
    let output = folder.read("out.yaml");
    let bucket = found(moto, "uploads");
    let objects = bucket["Objects"].as_object().expect("objects");
    assert_eq!(objects.len(), 3, "{bucket}");
    for (key, object) in objects {
        assert!(key.starts_with("p/") && output.contains(key.as_str()), "{key}");
        assert_eq!((object["Encryption"].as_str(), object["Metadata"]["team"].as_str()), (Some("AES256"), Some("x")));
    }
    // The name of a lone file is the hash of its bytes.
    let large = objects.values().find(|object| object["Size"] == LARGE).expect("the large one");
    assert!(objects.contains_key(&format!("p/{}", large["Sha256"].as_str().expect("a hash"))), "{bucket}");
    assert_eq!(bucket["Open"], 0);
    let again = moto.run(&folder, &[&words[..], &["--s3-prefix", "p"]].concat());
    assert_eq!(again.err.matches("is there already").count(), 3, "{}", again.err);
    assert_eq!(found(moto, "uploads"), bucket);
}

pub(crate) fn a_bucket_elsewhere(moto: &Moto) {
    let folder = project("s3-elsewhere");
    let run = moto.run(&folder, &["package", "t.yaml", "--s3-bucket", "uploads-west", "--kms-key-id", "alias/some"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let bucket = found(moto, "uploads-west");
    let objects = bucket["Objects"].as_object().expect("objects");
    assert!(objects.len() == 3 && objects.values().all(|object| object["Encryption"] == "aws:kms"), "{bucket}");
}

pub(crate) fn no_such_bucket(moto: &Moto) {
    let folder = project("s3-missing");
    let run = moto.run(&folder, &["package", "t.yaml", "--s3-bucket", "nowhere", "-o", "out.yaml"]);
    assert!(run.status == 1 && run.err.contains("`S3 Bucket does not exist.`"), "{}", run.err);
    assert!(!folder.has("out.yaml"));
}

pub(crate) fn the_managed_bucket(moto: &Moto) {
    let folder = project("s3-managed");
    let words = ["package", "t.yaml", "--resolve-s3"];
    let made = moto.run(&folder, &words);
    assert_eq!((made.status, made.err.as_str()), (0, ""));
    // It is the same for all.
    let found_again = moto.run(&folder, &words);
    assert_eq!((found_again.status, found_again.err.as_str()), (0, ""));
    assert!(made.out == found_again.out && made.out.contains("s3://aws-sam-cli-managed-default-"), "{}", made.out);
}
