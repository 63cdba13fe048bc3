//! Whose credentials are used: seen by a server that refuses everything.

use std::sync::mpsc;

use super::program::Folder;
use crate::support::http::{self, Request, Response};

const CONFIG: &str = "[default]
region = eu-west-1
aws_access_key_id = AKIDOFDEFAULT
aws_secret_access_key = secret-of-default

[profile named]
region = eu-central-1
aws_access_key_id = AKIDOFNAMED
aws_secret_access_key = secret-of-named
";

const TEMPLATE: &str = "Parameters: {Key: {Type: 'AWS::EC2::KeyPair::KeyName', Default: k}}\nResources: {T: {Type: 'AWS::SNS::Topic', Properties: {DisplayName: !Ref Key}}}\n";

const REFUSAL: &str =
    "<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>no</Message></Error></Errors></Response>";

/// How the program comes to the server.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// `--endpoint-url`
    Option,
    /// `AWS_ENDPOINT_URL_EC2`
    Environment,
    /// `HTTP_PROXY`
    Proxy,
}

/// Runs a command against a server that notes the first request and refuses it. Returns the request.
fn refused(name: &str, words: &[&str], environment: &[(&str, &str)], way: Way) -> Request {
    let (sender, receiver) = mpsc::channel();
    let port = http::listen(move |stream| {
        http::converse(stream, |request, _| {
            let _ = sender.send(request.clone());
            Some(Response::new(403, REFUSAL).with("Connection", "close"))
        });
    });
    let url = format!("http://127.0.0.1:{port}");
    let folder = Folder::new(name).with("t.yaml", TEMPLATE).with("config", CONFIG);
    let config = folder.0.join("config");
    let mut all = vec![("AWS_CONFIG_FILE", config.to_str().expect("a path"))];
    all.extend(environment.iter().copied());
    let mut words = words.to_vec();
    match way {
        Way::Option => words.extend(["--endpoint-url", &url]),
        Way::Environment => all.extend([("AWS_ENDPOINT_URL", "http://127.0.0.1:1"), ("AWS_ENDPOINT_URL_EC2", &url)]),
        Way::Proxy => {
            words.extend(["--endpoint-url", "http://ec2.example.invalid"]);
            all.push(("HTTP_PROXY", &url));
        }
    }
    let run = folder.run(&words, &all);
    let request = receiver.recv().expect("a request");
    let body = String::from_utf8_lossy(&request.body);
    assert!(body.contains("Action=DescribeKeyPairs&Version=2016-11-15"), "{body}");
    for secret in ["secret-of", "AKID", "Signature="] {
        assert!(!run.err.contains(secret) && !run.out.contains(secret), "{run:?}");
    }
    let sentence = "no account data for AWS::EC2::KeyPair::KeyName: the permission ec2:DescribeKeyPairs is missing";
    assert!((run.out.clone() + &run.err).contains(sentence), "{run:?}");
    request
}

fn check(name: &str, words: &[&str], environment: &[(&str, &str)], way: Way, signed: &str) {
    let request = refused(name, words, environment, way);
    let head = format!("{} {} HTTP/1.1\n{}", request.method, request.path, request.header("authorization"));
    assert!(head.contains(signed), "{head}");
}

#[test]
fn of_account_data() {
    let folder = Folder::new("region-of-data")
        .with("t.yaml", TEMPLATE)
        .with("config", CONFIG)
        .with("account.json", "{\"FormworkAccountSnapshot\": \"1\", \"Region\": \"ap-south-1\"}");
    let account = folder.0.join("account.json");
    let words = ["check", "t.yaml", "--live", "--account", account.to_str().expect("a path")];
    check("region-of-account", &words, &[], Way::Option, "/ap-south-1/ec2/aws4_request");
}

#[test]
fn of_the_chain_of_the_sdk() {
    const KEYS: [(&str, &str); 2] =
        [("AWS_ACCESS_KEY_ID", "AKIDOFENVIRONMENT"), ("AWS_SECRET_ACCESS_KEY", "secret-of-environment")];
    let live = ["check", "t.yaml", "--live"];
    check("default-profile", &live, &[], Way::Option, "Credential=AKIDOFDEFAULT/");
    check("environment", &live, &KEYS, Way::Option, "Credential=AKIDOFENVIRONMENT/");
    // A profile that is named wins over keys of the environment, as in the AWS CLI.
    check(
        "named-profile",
        &[&live[..], &["--profile", "named"]].concat(),
        &KEYS,
        Way::Option,
        "Credential=AKIDOFNAMED/",
    );
    check(
        "named-by-environment",
        &live,
        &[("AWS_PROFILE", "named")],
        Way::Environment,
        "/eu-central-1/ec2/aws4_request",
    );
    check(
        "region",
        &[&live[..], &["--region", "sa-east-1"]].concat(),
        &[],
        Way::Environment,
        "/sa-east-1/ec2/aws4_request",
    );
    check("proxy", &live, &[], Way::Proxy, "POST http://ec2.example.invalid/ HTTP/1.1");
}
