//! Objects in parts.

use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest, Sha256};

use super::project::Project;
use super::server::{Answer, Request, Server};

const SIZE: usize = (20 << 20) + 7;

#[test]
fn a_large_object_goes_in_parts() {
    let (project, server) = (Project::large("parts", SIZE), Server::usual());
    let run = project.run(&server, &["--metadata", "a=b"]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    let state = server.state();
    let written = std::fs::read(project.folder.0.join("large")).expect("the file");
    assert!(state.objects.values().eq([&written]) && state.open.is_empty());
    let parts: Vec<_> = state.asked.iter().filter(|request| request.method == "PUT").collect();
    let mut sizes: Vec<usize> = parts.iter().map(|part| part.body.len()).collect();
    sizes.sort_unstable();
    assert_eq!(sizes, [(4 << 20) + 7, 8 << 20, 8 << 20]);
    for part in parts {
        assert_eq!(part.header("x-amz-checksum-sha256"), BASE64_STANDARD.encode(Sha256::digest(&part.body)));
    }
    let begun = state.asked.iter().find(|request| request.query.starts_with("uploads")).expect("a begin");
    assert_eq!(begun.header("x-amz-meta-a"), "b");
    assert_eq!(begun.header("x-amz-server-side-encryption"), "AES256");
    let ended = state.asked.iter().rfind(|request| request.method == "POST").expect("an end");
    assert_eq!(ended.header("if-none-match"), "*");
    let numbers = (1..=3).map(|number| format!("<PartNumber>{number}</PartNumber>"));
    let document = String::from_utf8_lossy(&ended.body);
    assert!(numbers.map(|number| document.find(&number)).is_sorted_by(|a, b| a.is_some() && a < b), "{document}");
    assert_eq!(document.matches("<ETag>&quot;").count(), 3, "{document}");
    assert_eq!(document.matches("<ChecksumSHA256>").count(), 3, "{document}");
    assert_eq!(begun.header("x-amz-checksum-algorithm"), "SHA256");
}

#[test]
fn a_part_that_fails_takes_the_upload_back() {
    for (name, answer) in [
        ("part-fails", Answer::error(500, "InternalError", "We encountered an internal error")),
        ("part-denied", Answer::error(403, "AccessDenied", "no")),
        ("part-breaks-off", Answer::Nothing),
        ("part-altered", Answer::With(200, vec![("x-amz-checksum-sha256", "AAAA".to_owned())], String::new())),
    ] {
        let project = Project::large(name, SIZE);
        let server = Server::start(
            move |request, _| {
                if request.query.contains("partNumber=2") { answer.clone() } else { Answer::Usual }
            },
        );
        let run = project.run_in(&server, &[], &[("AWS_MAX_ATTEMPTS", "1")]);
        assert!(run.status == 1 && run.err.contains("FW0805"), "{name}: {run:?}");
        let state = server.state();
        assert!(state.open.is_empty() && state.objects.is_empty(), "{name}: nothing is left");
        assert_eq!(state.asked.iter().filter(|request| request.method == "DELETE").count(), 1, "{name}");
        assert!(project.is_without_output(), "{name}");
    }
}

#[test]
fn an_end_that_fails_takes_the_upload_back() {
    let project = Project::large("end-fails", SIZE);
    let server = Server::start(|request, _| {
        let is_end = request.method == "POST" && request.query.contains("uploadId");
        if is_end { Answer::error(400, "InvalidPart", "One or more parts could not be found") } else { Answer::Usual }
    });
    let run = project.run(&server, &[]);
    assert!(run.status == 1 && run.err.contains("what S3 received is not what was sent"), "{}", run.err);
    assert!(server.state().open.is_empty() && project.is_without_output());
}

/// S3 begins its answer before the object is put together.
#[test]
fn an_end_that_fails_in_a_success() {
    let project = Project::large("end-fails-late", SIZE);
    let left = AtomicUsize::new(2);
    let is_end = |request: &Request| request.method == "POST" && request.query.contains("uploadId");
    let server = Server::start(move |request, _| {
        let fails = is_end(request)
            && left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok();
        if fails { Answer::error(200, "InternalError", "We encountered an internal error") } else { Answer::Usual }
    });
    let run = project.run(&server, &[]);
    assert_eq!((run.status, run.err.as_str()), (0, ""));
    assert_eq!(server.state().asked.iter().filter(|request| is_end(request)).count(), 3);
    assert_eq!(server.state().objects.len(), 1);
    let project = Project::large("end-fails-for-good", SIZE);
    let server = Server::start(move |request, _| {
        if is_end(request) { Answer::error(200, "InvalidPart", "One or more parts are missing") } else { Answer::Usual }
    });
    let run = project.run(&server, &[]);
    assert!(run.status == 1 && run.err.contains("what S3 received is not what was sent"), "{}", run.err);
    assert!(server.state().open.is_empty() && project.is_without_output());
}

#[test]
fn an_end_that_comes_late_takes_the_upload_back() {
    let project = Project::large("end-late", SIZE);
    let server = Server::start(|request, _| {
        let is_end = request.method == "POST" && request.query.contains("uploadId");
        if is_end { Answer::error(412, "PreconditionFailed", "it is there") } else { Answer::Usual }
    });
    assert_eq!(project.run(&server, &[]).status, 0);
    assert!(server.state().open.is_empty());
}

#[test]
fn an_upload_that_stays_open_is_named() {
    let project = Project::large("stays-open", SIZE);
    let server = Server::start(|request, _| match request.method.as_str() {
        "PUT" => Answer::error(403, "AccessDenied", "no"),
        "DELETE" => Answer::error(403, "AccessDenied", "not that either"),
        _ => Answer::Usual,
    });
    let run = project.run(&server, &[]);
    assert_eq!(run.status, 1);
    for words in
        ["s3:PutObject is missing", "the upload upload-1 of", "aws s3api abort-multipart-upload --bucket bucket"]
    {
        assert!(run.err.contains(words), "{}", run.err);
    }
}
