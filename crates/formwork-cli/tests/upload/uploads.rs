//! What is asked of S3, and how often.
//!
//! Holds reference/packaging.md#upload, reference/packaging.md#objects.

use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use super::project::{OBJECTS, Project};
use super::server::{Answer, Server};

#[test]
fn objects_are_uploaded_once() {
    let (project, server) = (Project::new("once"), Server::usual());
    let run = project.run(&server, &["--s3-prefix", "p//q/"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!((server.count("HEAD"), server.count("PUT")), (OBJECTS, OBJECTS));
    let output = project.folder.read("out.yaml");
    let keys: Vec<String> = server.state().objects.keys().cloned().collect();
    assert_eq!(keys.len(), OBJECTS);
    for key in &keys {
        let url = format!("{}{key}", server.url);
        let uri = format!("s3:/{key}");
        assert!(key.starts_with("/bucket/p/q/") && (output.contains(&url) || output.contains(&uri)), "{key}: {output}");
    }
    server.forget();
    let again = project.run(&server, &["--s3-prefix", "p/q", "--verbose"]);
    assert_eq!((server.count("HEAD"), server.count("PUT")), (OBJECTS, 0), "what is there stays");
    assert_eq!(again.err.matches(" is there already").count(), OBJECTS, "{}", again.err);
    assert_eq!(project.folder.read("out.yaml"), output);
    server.forget();
    assert_eq!(project.run(&server, &["--s3-prefix", "p/q", "--force-upload"]).status, 0);
    assert_eq!((server.count("HEAD"), server.count("PUT")), (0, OBJECTS));
    assert!(server.state().asked.iter().all(|request| request.header("if-none-match").is_empty()));
}

/// An endpoint of one's own has no name for each bucket.
#[test]
fn the_bucket_is_in_the_path_of_a_named_endpoint() {
    let (project, server) = (Project::new("named-endpoint"), Server::usual());
    let url = server.url.replace("127.0.0.1", "localhost");
    let run = project.run_at(&url, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let state = server.state();
    assert!(state.objects.keys().all(|path| path.starts_with("/bucket/")), "{:?}", state.objects.keys());
    assert!(state.asked.iter().all(|request| request.header("host").starts_with("localhost:")));
    assert!(project.folder.read("out.yaml").contains(&format!("{url}/bucket/")));
}

#[test]
fn an_object_says_what_it_is() {
    let (project, server) = (Project::new("headers"), Server::usual());
    let run = project.run(&server, &["--metadata", "team=a b,stage=x=y", "--kms-key-id", "alias/key"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    for put in server.state().asked.iter().filter(|request| request.method == "PUT") {
        assert_eq!(put.header("x-amz-meta-team"), "a b");
        assert_eq!(put.header("x-amz-meta-stage"), "x=y");
        assert_eq!(put.header("x-amz-server-side-encryption"), "aws:kms");
        assert_eq!(put.header("x-amz-server-side-encryption-aws-kms-key-id"), "alias/key");
        assert_eq!(put.header("if-none-match"), "*");
        assert_eq!(put.header("x-amz-checksum-sha256"), BASE64_STANDARD.encode(Sha256::digest(&put.body)));
    }
    let (project, server) = (Project::new("encryption"), Server::usual());
    project.run(&server, &[]);
    let state = server.state();
    let puts = state.asked.iter().filter(|request| request.method == "PUT");
    assert!(
        puts.clone().count() == OBJECTS
            && puts.clone().all(|put| put.header("x-amz-server-side-encryption") == "AES256")
    );
}

#[test]
fn an_object_that_comes_to_be_there_is_no_fault() {
    let project = Project::new("meanwhile");
    let server = Server::start(|request, _| match request.method.as_str() {
        "PUT" => Answer::error(412, "PreconditionFailed", "At least one of the pre-conditions did not hold"),
        _ => Answer::Usual,
    });
    assert_eq!(project.run(&server, &[]).status, 0);
    assert_eq!(server.count("PUT"), OBJECTS);
}

#[test]
fn a_server_without_conditions_gets_none() {
    for (name, status, code) in [("conditions", 501, "NotImplemented"), ("conflict", 409, "ConditionalRequestConflict")]
    {
        let project = Project::new(name);
        let server = Server::start(move |request, _| match request.header("if-none-match") {
            "*" => Answer::error(status, code, "no"),
            _ => Answer::Usual,
        });
        // A server that does not implement something is asked once.
        let run = project.run_in(&server, &[], &[("AWS_MAX_ATTEMPTS", "1")]);
        assert_eq!((run.status, run.err.as_str()), (0, ""), "{name}");
        assert_eq!(server.state().objects.len(), OBJECTS);
    }
}

#[test]
fn so_many_at_once() {
    let project = Project::new("concurrency");
    let server = Server::start(|request, _| {
        if request.is_of_object() {
            thread::sleep(Duration::from_millis(100));
        }
        Answer::Usual
    });
    assert_eq!(project.run(&server, &["--concurrency", "2"]).status, 0);
    assert_eq!(server.most_at_once(), 2);
}

#[test]
fn nothing_to_upload_asks_nobody() {
    let project = Project::new("nothing");
    std::fs::write(project.folder.0.join("template.yaml"), "Resources: {T: {Type: AWS::SNS::Topic}}\n")
        .expect("written");
    let server = Server::usual();
    assert_eq!(project.run(&server, &[]).status, 0);
    assert_eq!(project.run(&server, &["--plan"]).status, 0);
    assert!(server.state().asked.is_empty());
    // Nor are there credentials to have.
    let words = ["package", "template.yaml", "--s3-bucket", "bucket"];
    assert_eq!(project.folder.run(&words, &[]).status, 0);
}

#[test]
fn what_is_wrong_with_the_template_comes_before_the_network() {
    let project = Project::new("wrong");
    std::fs::remove_dir_all(project.folder.0.join("src/b")).expect("removed");
    let server = Server::usual();
    let run = project.run(&server, &[]);
    assert!(run.status == 1 && run.err.contains("FW0801"), "{}", run.err);
    assert!(server.state().asked.is_empty() && project.is_without_output());
}
