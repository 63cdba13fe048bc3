//! `sync --watch` without AWS: no edit of a file changes that, so it ends.
//!
//! Holds reference/sync.md#exit-status.

use std::net::TcpListener;
use std::time::{Duration, Instant};

use crate::support::folder::Folder;

const TEMPLATE: &str = "Resources:
  F:
    Type: AWS::Lambda::Function
    Properties: {Handler: app.handler, Runtime: python3.13, Code: src, Role: r}
";

/// Runs with the words and the environment, which it outlives by far if it watches, and returns status and errors.
fn run(name: &str, words: &[&str], environment: &[(&str, &str)]) -> (Option<i32>, String) {
    let folder = Folder::new("sync-unreachable", name).with("template.yaml", TEMPLATE).with("src/app.py", "");
    let always = ["sync", "--watch", "--stack-name", "shop", "--s3-bucket", "artifacts", "--poll-delay", "0.02"];
    let errors = folder.path("errors");
    let mut command = folder.formwork(&[&always, words].concat());
    command.envs([("HOME", "/nonexistent"), ("AWS_EC2_METADATA_DISABLED", "true"), ("AWS_MAX_ATTEMPTS", "1")]);
    command.envs(environment.iter().copied());
    let mut child =
        command.stderr(std::fs::File::create(&errors).expect("a file")).spawn().expect("the program starts");
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a status") {
            break status.code();
        }
        if begin.elapsed() > Duration::from_secs(40) {
            child.kill().expect("it is ended");
            child.wait().expect("it ends");
            break None;
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    (status, std::fs::read_to_string(&errors).expect("errors"))
}

#[test]
fn a_first_round_without_aws_ends_the_watch() {
    let keys = [("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"), ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests")];
    let region = ("AWS_REGION", "eu-west-1");
    // A port that was free a moment ago: connections to it are refused.
    let port = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    let url = format!("http://127.0.0.1:{port}");
    let endpoint = ("AWS_ENDPOINT_URL", url.as_str());
    for (name, words, environment, status, sentence) in [
        ("refused", &[][..], [&keys[..], &[region, endpoint]].concat(), 1, "cannot connect to http://127.0.0.1:"),
        ("code", &["--code"], [&keys[..], &[region, endpoint]].concat(), 1, "cannot connect to http://127.0.0.1:"),
        ("region", &[], [&keys[..], &[endpoint]].concat(), 2, "no Region is known"),
        ("credentials", &[], vec![region, endpoint], 5, "no credentials for AWS were found"),
    ] {
        let (found, errors) = run(name, words, &environment);
        assert_eq!(found, Some(status), "{name}: {errors}");
        assert!(errors.contains(sentence) && !errors.contains("watching for changes"), "{name}: {errors}");
    }
}
