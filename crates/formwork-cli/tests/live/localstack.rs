//! Deployments against `LocalStack`, which reports each resource as CloudFormation does: a loop with generated
//! Mappings, an update, what changes nothing, a rollback, and the deletion.
//!
//! Holds reference/deploy.md#events, reference/deploy.md#status, reference/deploy.md#delete.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use super::program::{Folder, Run};
use crate::support::daemon::{self, Daemon};

const TEMPLATE: &str = "Transform: AWS::LanguageExtensions
Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Fn::ForEach::Apis:
    - Name
    - [orders, users]
    - Api${Name}:
        Type: AWS::ApiGateway::RestApi
        Properties: {Name: !Sub 'api-${Name}', BodyS3Location: './${Name}.json'}
  Topic: {Type: AWS::SNS::Topic, Properties: {DisplayName: !Ref Stage}}
Outputs:
  TopicArn: {Value: !Ref Topic}
";

/// The function of the loop cannot be made, since there is no such bucket.
const BROKEN: &str = "Transform: AWS::LanguageExtensions
Resources:
  Topic: {Type: AWS::SNS::Topic}
  Fn::ForEach::Jobs:
    - Name
    - [orders]
    - Job${Name}:
        Type: AWS::Lambda::Function
        Properties:
          Code: {S3Bucket: formwork-no-such-bucket, S3Key: x}
          Handler: a.b
          Runtime: python3.13
          Role: arn:aws:iam::000000000000:role/r
";

/// Where `LocalStack` is installed: where CI does it, or where `FORMWORK_LOCALSTACK` names it. It needs Python 3.13.
fn installed() -> Option<PathBuf> {
    let own = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("ci").join("localstack");
    let folder = std::env::var_os("FORMWORK_LOCALSTACK").map_or_else(own, PathBuf::from);
    let python = folder.join("bin/python");
    if folder.join("bin/localstack").exists() {
        return Some(python);
    }
    let why = format!("LocalStack is not installed in {}: .ci/tools.sh has the packages", folder.display());
    daemon::skip(&why, "FORMWORK_REQUIRE_LOCALSTACK");
    None
}

struct LocalStack(Daemon);

impl LocalStack {
    fn start() -> Option<LocalStack> {
        let python = installed()?;
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("localstack");
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a directory");
        let command = |port: u16| {
            let mut command = Command::new(&python);
            command.args(["-m", "localstack.runtime.main"]).current_dir(&folder);
            command.env("LOCALSTACK_VOLUME_DIR", &folder).env("FILESYSTEM_ROOT", folder.join("root"));
            command.env("GATEWAY_LISTEN", format!("127.0.0.1:{port}"));
            command.envs([("DISABLE_EVENTS", "1"), ("SKIP_SSL_CERT_DOWNLOAD", "1"), ("DNS_ADDRESS", "0")]);
            command
        };
        Some(LocalStack(Daemon::start(command, "/_localstack/health", Duration::from_mins(2))))
    }

    fn run(&self, folder: &Folder, words: &[&str]) -> Run {
        let url = format!("http://{}", self.0.address());
        let environment = [
            ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
            ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", &url),
        ];
        folder.run(&[words, &["--poll-delay", "0.1"]].concat(), &environment)
    }

    fn deploy(&self, folder: &Folder, words: &[&str]) -> Run {
        let all = ["deploy", "t.yaml", "--resolve-s3", "--capabilities", "CAPABILITY_AUTO_EXPAND"];
        self.run(folder, &[&all, words].concat())
    }
}

/// Whether a line reports an event of a resource, with the author's line behind it.
fn tells(run: &Run, status: &str, resource: &str) -> bool {
    run.err.lines().any(|line| line.contains(status) && line.contains(resource))
}

#[test]
fn against_localstack() {
    let Some(localstack) = LocalStack::start() else { return };
    let api = r#"{"openapi": "3.0.1", "info": {"title": "a", "version": "1"}, "paths": {}}"#;
    let folder = Folder::new("localstack").with("t.yaml", TEMPLATE).with("orders.json", api).with("users.json", api);

    let run = localstack.deploy(&folder, &["--stack-name", "loop"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(
        tells(&run, "CREATE_COMPLETE", "Apiorders (AWS::ApiGateway::RestApi)  t.yaml:8 [Name=orders]"),
        "{}",
        run.err
    );
    assert!(tells(&run, "CREATE_COMPLETE", "Topic (AWS::SNS::Topic)  t.yaml:11"), "{}", run.err);
    assert!(run.out.contains("TopicArn  arn:aws:sns:us-east-1:"), "{}", run.out);
    let run = localstack.deploy(&folder, &["--stack-name", "loop", "--parameter-overrides", "Stage=prod"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(tells(&run, "UPDATE_COMPLETE", "Topic (AWS::SNS::Topic)  t.yaml:11"), "{}", run.err);

    // Without a loop it knows what changes nothing.
    let run = localstack.deploy(&folder, &["--stack-name", "plain", "--expand"]);
    assert_eq!(run.status, 0, "{}", run.err);
    let run = localstack.deploy(&folder, &["--stack-name", "plain", "--expand"]);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("No changes to deploy. Stack plain is up to date"), "{}", run.err);

    for name in ["loop", "plain"] {
        let run = localstack.run(&folder, &["delete", "--stack-name", name, "--yes"]);
        assert_eq!(run.status, 0, "{}", run.err);
        assert!(tells(&run, "DELETE_COMPLETE", "Apiusers (AWS::ApiGateway::RestApi)"), "{}", run.err);
    }

    // What fails is rolled back, and reported with its place.
    let folder = folder.with("t.yaml", BROKEN);
    let run = localstack.deploy(&folder, &["--stack-name", "broken"]);
    assert_eq!(run.status, 1, "{}", run.err);
    let job = "Joborders (AWS::Lambda::Function)  t.yaml:7 [Name=orders]";
    assert!(tells(&run, "CREATE_FAILED", job) && tells(&run, "ROLLBACK_COMPLETE", "broken"), "{}", run.err);
    assert!(run.err.contains(" --> t.yaml:7:7\n") && run.err.contains("this failed: Name=orders"), "{}", run.err);
    let run = localstack.deploy(&folder, &["--stack-name", "broken"]);
    assert!(run.status == 1 && run.err.contains("is in ROLLBACK_COMPLETE state"), "{}", run.err);
}
