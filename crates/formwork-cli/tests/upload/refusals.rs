//! What S3 rejects, with messages that name the fix.
//!
//! Holds reference/packaging.md#refusals.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::project::{OBJECTS, Project};
use super::server::{Answer, Request, Server};

/// Packages to a server that rejects calls; all words must be printed, and nothing may be written.
fn check(name: &str, refuse: impl Fn(&Request) -> Option<Answer> + Send + Sync + 'static, words: &[&str]) -> String {
    let project = Project::new(name);
    let server = Server::start(move |request, _| refuse(request).unwrap_or(Answer::Usual));
    let run = project.run_in(&server, &[], &[("AWS_MAX_ATTEMPTS", "1")]);
    assert_eq!(run.status, 1, "{name}: {run:?}");
    for word in words {
        assert!(run.err.contains(word), "{name}: no {word:?} in\n{}", run.err);
    }
    assert!(run.err.contains("no template was written") && project.is_without_output(), "{name}");
    run.err
}

fn on_put(answer: Answer) -> impl Fn(&Request) -> Option<Answer> {
    move |request| (request.method == "PUT").then(|| answer.clone())
}

#[test]
fn a_permission_that_is_missing() {
    let told = check(
        "denied",
        on_put(Answer::error(403, "AccessDenied", "User x is not authorized to perform: s3:PutObject")),
        &[
            "error[FW0805]",
            "the permission s3:PutObject is missing for bucket: `User x is not authorized to perform: s3:PutObject`",
            "allow s3:PutObject on arn:aws:s3:::bucket/*",
        ],
    );
    assert_eq!(told.matches("error[").count(), 1, "one reason is reported once: {told}");
    check(
        "denied-key",
        on_put(Answer::error(403, "AccessDenied", "User x is not authorized to perform: kms:GenerateDataKey on it")),
        &["the permission kms:GenerateDataKey is missing", "allow kms:GenerateDataKey and kms:Decrypt"],
    );
}

#[test]
fn credentials_that_have_expired() {
    let expired = || Answer::error(400, "ExpiredToken", "The provided token has expired.");
    // An answer to HEAD has no words.
    check(
        "expired",
        move |_| Some(expired()),
        &[
            "error[FW0804]",
            "the credentials for AWS have expired",
            "`The provided token has expired.`",
            "sign in again",
        ],
    );
    check(
        "expired-later",
        on_put(expired()),
        &[
            "error[FW0805]",
            "the credentials for AWS have expired",
            "`The provided token has expired.`",
            "sign in again",
        ],
    );
    check(
        "unknown-key",
        move |_| Some(Answer::error(403, "InvalidAccessKeyId", "The key does not exist")),
        &["AWS does not accept the credentials", "`The key does not exist`"],
    );
}

#[test]
fn no_credentials_at_all() {
    let project = Project::new("no-credentials");
    let server = Server::usual();
    let words = ["package", "template.yaml", "--s3-bucket", "bucket", "-o", "out.yaml"];
    let run = project.folder.run(&words, &[("AWS_ENDPOINT_URL_S3", &server.url), ("AWS_REGION", "eu-west-1")]);
    assert_eq!(run.status, 1, "{}", run.err);
    assert!(run.err.contains("no credentials for AWS were found") && run.err.contains("aws sso login"), "{}", run.err);
    assert!(server.state().asked.is_empty() && project.is_without_output());
}

#[test]
fn no_such_bucket() {
    check(
        "no-bucket",
        |request| request.is("HEAD", "/bucket").then(|| Answer::empty(404)),
        &["error[FW0804]", "`S3 Bucket does not exist.`: the bucket bucket was not found in eu-west-1", "--resolve-s3"],
    );
    check("lost-bucket", on_put(Answer::error(404, "NoSuchBucket", "gone")), &["`S3 Bucket does not exist.`"]);
}

#[test]
fn bytes_that_change_on_the_way() {
    let words = ["error[FW0805]", "what S3 received is not what was sent"];
    check("digest", on_put(Answer::error(400, "BadDigest", "The digest did not match")), &words);
    let other = vec![("x-amz-checksum-sha256", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=".to_owned())];
    check("checksum", on_put(Answer::With(200, other, String::new())), &words);
}

#[test]
fn who_may_not_look_uploads_with_a_warning() {
    let project = Project::new("hidden");
    let server = Server::start(|request, _| match request.method.as_str() {
        "HEAD" => Answer::empty(403),
        "GET" => Answer::error(403, "AccessDenied", "no"),
        _ => Answer::Usual,
    });
    let run = project.run(&server, &[]);
    assert_eq!((run.status, server.count("PUT")), (0, OBJECTS), "{}", run.err);
    assert_eq!(run.err.matches("warning: these credentials may not see which objects bucket has").count(), 1);
}

#[test]
fn a_busy_server_is_asked_again() {
    let project = Project::new("slow-down");
    let left = AtomicUsize::new(2);
    let server = Server::start(move |request, _| {
        let is_refused = request.method == "PUT"
            && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if is_refused { Answer::error(503, "SlowDown", "Please reduce your request rate.") } else { Answer::Usual }
    });
    let run = project.run(&server, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!((server.count("PUT"), server.state().objects.len()), (OBJECTS + 2, OBJECTS));
    check(
        "too-busy",
        on_put(Answer::error(503, "SlowDown", "Please reduce your request rate.")),
        &["S3 throttles calls for bucket", "Please reduce your request rate.", "AWS_MAX_ATTEMPTS"],
    );
}

#[test]
fn a_server_that_is_not_there() {
    let project = Project::new("unreachable");
    let run = project.run_in(
        &Server::usual(),
        &[],
        &[("AWS_ENDPOINT_URL_S3", "http://127.0.0.1:1"), ("AWS_MAX_ATTEMPTS", "1")],
    );
    assert!(run.status == 1 && run.err.contains("S3 cannot be reached for bucket"), "{}", run.err);
    assert!(project.is_without_output());
}

#[test]
fn names_of_other_things_than_buckets() {
    for (name, bucket, words) in [
        ("arn", "arn:aws:s3:us-west-2:123456789012:accesspoint/mine", ["is an ARN", "ends in `-s3alias`"]),
        ("express", "data--usw2-az1--x-s3", ["is a directory bucket", "pass the name of a general purpose bucket"]),
    ] {
        let (project, server) = (Project::new(name), Server::usual());
        let account = [
            ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
            ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests"),
            ("AWS_REGION", "us-west-2"),
            ("AWS_ENDPOINT_URL_S3", &server.url),
        ];
        let run = project.folder.run(&["package", "template.yaml", "--s3-bucket", bucket, "-o", "out.yaml"], &account);
        assert!(run.status == 1 && words.iter().all(|word| run.err.contains(word)), "{}", run.err);
        assert!(server.state().asked.is_empty() && project.is_without_output());
    }
}

#[test]
fn arguments_that_contradict_each_other() {
    let project = Project::new("usage");
    let check = |words: &[&str], told: &str| {
        let words = [&["package", "template.yaml"], words].concat();
        let run = project.folder.run(&words, &[]);
        assert!(run.status == 2 && run.err.contains(told), "{words:?}: {run:?}");
    };
    check(
        &["--s3-bucket", "bucket", "--resolve-s3"],
        "`Cannot use both --resolve-s3 and --s3-bucket parameters. Please use only one.`",
    );
    check(
        &["--s3-bucket", "bucket", "--metadata", "a=1,b"],
        "`b value passed to --metadata must be of format Key=Value`",
    );
    check(&["--s3-bucket", "bucket", "--offline"], "--offline wins");
    check(
        &["--s3-bucket", "file:x", "--bucket-name", "b", "--profile", "p"],
        "--profile has an effect only with --live or --allow-remote",
    );
}
