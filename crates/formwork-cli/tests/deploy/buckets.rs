//! Buckets that are emptied before their stack is deleted, against a small S3.
//!
//! Holds reference/deploy.md#delete.

use std::sync::{Arc, Mutex};

use super::answers::{Event, done, events, resources, stack, template};
use super::program::Case;
use super::running::Running;
use super::server::Step;
use crate::support::http::{self, Request, Response};

const BUCKET: &str = "AWS::S3::Bucket";

const VERSIONS: &str =
    "<ListVersionsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>false</IsTruncated>
<Version><Key>a</Key><VersionId>1</VersionId></Version>
<Version><Key>a</Key><VersionId>2</VersionId></Version>
<DeleteMarker><Key>b</Key><VersionId>3</VersionId></DeleteMarker>
</ListVersionsResult>";

const NONE: &str = "<ListVersionsResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><IsTruncated>false</IsTruncated></ListVersionsResult>";

/// What S3 does with a request to delete objects.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Deletes {
    All,
    AllButOne,
    /// Somebody presses Ctrl-C meanwhile.
    Interrupted,
}

/// A small S3; returns its address and what it is asked.
fn s3(deletes: Deletes, running: &Running) -> (String, Arc<Mutex<Vec<String>>>) {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (log, running) = (Arc::clone(&asked), running.clone());
    let port = http::listen(move |stream| {
        let (log, running) = (Arc::clone(&log), running.clone());
        http::converse(stream, move |request: &Request, _| {
            let is_deleted = {
                let mut log = log.lock().expect("the log");
                let is_deleted = log.iter().any(|line: &String| line.starts_with("POST"));
                log.push(format!("{} {}", request.method, request.target()));
                is_deleted
            };
            let body = match (request.method.as_str(), deletes) {
                ("GET", _) if is_deleted => NONE.to_owned(),
                ("GET", _) => VERSIONS.to_owned(),
                ("POST", Deletes::AllButOne) => "<DeleteResult><Error><Key>a</Key><VersionId>1</VersionId><Code>AccessDenied</Code><Message>locked</Message></Error></DeleteResult>".to_owned(),
                ("POST", Deletes::Interrupted) => {
                    running.signal("INT");
                    "<DeleteResult/>".to_owned()
                }
                ("POST", Deletes::All) => "<DeleteResult/>".to_owned(),
                _ => String::new(),
            };
            Some(Response::new(200, body).with("Content-Type", "application/xml"))
        });
    });
    (format!("http://127.0.0.1:{port}"), asked)
}

fn look() -> Vec<Step> {
    vec![
        stack("CREATE_COMPLETE", &[], &[]),
        resources(&[("Logs", BUCKET, "shop-logs"), ("Archive", BUCKET, "shop-archive")]),
        template("Resources: {Logs: {Type: T}, Archive: {DeletionPolicy: Retain}}"),
    ]
}

fn case(name: &str, deletes: Deletes) -> (Case, Arc<Mutex<Vec<String>>>) {
    let case = Case::new(name);
    let (url, asked) = s3(deletes, &case.running);
    (case.env("AWS_ENDPOINT_URL_S3", &url), asked)
}

const WORDS: [&str; 2] = ["--yes", "--force-empty-buckets"];

#[test]
fn every_version_goes_before_the_stack_does() {
    let before = Event::stack(0, "CREATE_COMPLETE");
    let deleted = vec![
        events(std::slice::from_ref(&before)),
        done("DeleteStack"),
        events(&[before, Event::stack(1, "DELETE_COMPLETE")]),
    ];
    let (case, asked) = case("empty", Deletes::All);
    let run = case.delete([look(), deleted].concat(), &WORDS);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("Bucket Logs is empty: 3 object versions deleted\n"), "{}", run.err);
    let asked = asked.lock().expect("the log").clone();
    assert_eq!(asked.iter().filter(|line| line.starts_with("POST")).count(), 1, "{asked:?}");
    // A bucket that is kept is not even looked at.
    assert!(asked.iter().all(|line| line.contains("/shop-logs")), "{asked:?}");
}

#[test]
fn a_bucket_that_cannot_be_emptied_keeps_its_stack() {
    let (case, _) = case("empty-denied", Deletes::AllButOne);
    let run = case.delete(look(), &WORDS);
    assert_eq!(run.status, 5, "{}", run.err);
    insta::assert_snapshot!(run.err);
}

#[test]
fn ctrl_c_while_a_bucket_is_emptied() {
    let (case, _) = case("empty-ctrl-c", Deletes::Interrupted);
    let run = case.delete(look(), &WORDS);
    assert_eq!(run.status, 130, "{}", run.err);
    // Ctrl-C may be noticed behind the bucket; what was deleted is named in any case.
    for words in ["the stack was not deleted", "3 object versions of bucket shop-logs were deleted"] {
        assert!(run.err.contains(words), "{words}: {}", run.err);
    }
}

const CODE: &str = r#"{"Resources": {
    "F": {"Type": "AWS::Lambda::Function", "Properties": {"Code": {"S3Bucket": "uploads", "S3Key": "shop/1a2b"}}},
    "G": {"Type": "AWS::Lambda::Function", "Properties": {"Code": {"S3Bucket": "uploads", "S3Key": "other/3c4d"}}}}}"#;

fn look_at_code() -> Vec<Step> {
    let function = "AWS::Lambda::Function";
    vec![stack("CREATE_COMPLETE", &[], &[]), resources(&[("F", function, "f"), ("G", function, "g")]), template(CODE)]
}

#[test]
fn uploaded_files_go_behind_the_stack_on_request() {
    let before = Event::stack(0, "CREATE_COMPLETE");
    let deleted = || {
        vec![
            events(std::slice::from_ref(&before)),
            done("DeleteStack"),
            events(&[before.clone(), Event::stack(1, "DELETE_COMPLETE")]),
        ]
    };
    let words = ["--yes", "--s3-bucket", "uploads", "--s3-prefix", "/shop/"];
    let (all, asked) = case("artifacts", Deletes::All);
    let run = all.delete([look_at_code(), deleted()].concat(), &words);
    assert_eq!(run.status, 0, "{}", run.err);
    assert!(run.err.contains("- Delete  shop/1a2b\n") && !run.err.contains("other/3c4d"), "{}", run.err);
    assert!(run.err.contains("1 uploaded file deleted from bucket uploads"), "{}", run.err);
    let asked = asked.lock().expect("the log").clone();
    assert!(asked.iter().any(|line| line.starts_with("POST") && line.contains("/uploads")), "{asked:?}");
    let (denied, _) = case("artifacts-denied", Deletes::AllButOne);
    let run = denied.delete([look_at_code(), deleted()].concat(), &words);
    assert!(run.status == 1 && run.err.contains("the stack is deleted, and uploaded files are left"), "{}", run.err);
    let wrong = Case::new("artifacts-wrong").delete(vec![], &["--yes", "--s3-prefix", "shop"]);
    assert_eq!(wrong.status, 2, "{}", wrong.err);
}
