//! Packages that are uploaded to buckets, with boto3 as the second opinion.

use serde_json::Value;

use super::moto::Moto;
use super::program::Folder;
use crate::support::archive::docker;

const TEMPLATE: &str = "Resources:
  Layer: {Type: AWS::Serverless::LayerVersion, Properties: {ContentUri: ./src}}
  Api: {Type: AWS::Serverless::Api, Properties: {StageName: x, DefinitionUri: large}}
  Child: {Type: AWS::CloudFormation::Stack, Properties: {TemplateURL: child.yaml}}
";

/// More than one part.
const LARGE: usize = (9 << 20) + 1;

fn project(name: &str) -> Folder {
    let folder = Folder::new(name).with("t.yaml", TEMPLATE);
    std::fs::create_dir(folder.0.join("src")).expect("a directory");
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

/// Moto creates repositories and returns logins, and has no registry: the way there ends at a proxy that does not
/// exist.
pub(crate) fn the_repositories_of_a_stack(moto: &Moto) {
    let function = |id: &str| {
        format!(
            "  {id}: {{Type: AWS::Lambda::Function, Properties: {{PackageType: Image, Code: {{ImageUri: web.tar}}}}}}\n"
        )
    };
    let folder = Folder::new("repositories").with("t.yaml", &format!("Resources:\n{}", function("Web")));
    std::fs::write(folder.0.join("web.tar"), docker(Some("web:v1"), &[b"a layer"]).0).expect("written");
    let words = ["package", "t.yaml", "--resolve-image-repos", "--stack-name", "sam-app"];
    let nowhere = [("HTTPS_PROXY", "http://127.0.0.1:1")];
    let names = || {
        let program = "import boto3; print(*sorted(r['repositoryName'] for r in boto3.client('ecr').describe_repositories()['repositories']))";
        moto.boto3(program).trim().to_owned()
    };
    let run = moto.run_with(&folder, &words, &nowhere);
    let sentence = "web.tar (Code.ImageUri of Web) could not be pushed";
    assert!(run.status == 1 && run.err.contains(sentence), "{}", run.err);
    let first = names();
    assert!(first.starts_with("samapp7427b055/web") && first.ends_with("repo") && !first.contains(' '), "{first}");
    // What is there stays, and what is missing is added.
    let folder = folder.with("t.yaml", &format!("Resources:\n{}{}", function("Web"), function("Other")));
    let run = moto.run_with(&folder, &words, &nowhere);
    assert_eq!(run.status, 1, "{}", run.err);
    let both = names();
    assert!(both.starts_with("samapp7427b055/other") && both.ends_with(&first), "{both}");
}
