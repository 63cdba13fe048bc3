//! Tests of error responses and retries.

use std::net::TcpListener;
use std::time::Duration;

use aws_smithy_runtime_api::client::stalled_stream_protection::StalledStreamProtectionConfig;
use aws_smithy_types::retry::RetryConfig;
use bytes::Bytes;
use wiremock::matchers::any;
use wiremock::{Mock, MockServer, ResponseTemplate};

use super::{bucket, config};
use crate::CallErrorKind;
use crate::runtime::runtime;
use crate::s3::{Answer, Checksum, Failure, S3Request};

fn put() -> S3Request {
    let content = Bytes::from_static(b"content");
    S3Request::of_object("PUT", "key").content(content.clone(), &Checksum::of(&content))
}

fn error(status: u16, code: &str) -> ResponseTemplate {
    let body = format!("<?xml version=\"1.0\"?>\n<Error><Code>{code}</Code><Message>Why</Message></Error>");
    ResponseTemplate::new(status).set_body_raw(body, "application/xml")
}

/// Calls a server that returns these answers, the last of them forever; returns the result and the number of requests.
fn call(request: S3Request, answers: &[ResponseTemplate]) -> (Result<Answer, Failure>, usize) {
    runtime().expect("a runtime").block_on(async {
        let server = MockServer::start().await;
        for (at, answer) in answers.iter().enumerate() {
            let mock = Mock::given(any()).respond_with(answer.clone());
            if at + 1 < answers.len() { mock.up_to_n_times(1) } else { mock }.mount(&server).await;
        }
        let result = bucket(&server.uri(), config()).await.call(request).await;
        let asked = server.received_requests().await.expect("a log");
        assert!(asked.iter().all(|request| request.url.path() == "/bucket/key" || request.url.path() == "/bucket/"));
        assert!(asked.iter().all(|request| request.headers.contains_key("authorization")));
        (result, asked.len())
    })
}

fn failure(request: S3Request, answer: ResponseTemplate) -> (Failure, usize) {
    let (result, asked) = call(request, &[answer]);
    (result.expect_err("a failure"), asked)
}

#[test]
fn what_passes_is_asked_for_again() {
    let broken = ResponseTemplate::new(200).set_body_raw("<CompleteMultipartUploadResult><Buck", "application/xml");
    for answer in [
        error(503, "SlowDown"),
        error(400, "RequestTimeout"),
        error(400, "Throttling"),
        error(500, "InternalError"),
        ResponseTemplate::new(502),
        // A response that began as a success.
        error(200, "InternalError"),
        error(200, "SlowDown"),
        broken,
    ] {
        let (result, asked) = call(put(), &[answer.clone(), answer.clone(), ResponseTemplate::new(200)]);
        assert!(result.is_ok() && asked == 3, "{answer:?}: {result:?}");
    }
    let (throttled, asked) = failure(put(), error(503, "SlowDown"));
    assert_eq!((throttled.error.kind, asked), (CallErrorKind::Throttled, 3));
    let (broken, asked) = failure(put(), error(200, "InternalError"));
    assert_eq!((broken.error.detail.as_deref(), asked), (Some("InternalError: Why"), 3));
}

#[test]
fn an_error_in_a_success_is_one() {
    let complete = S3Request::of_object("POST", "key").query("uploadId", "1").document("<a/>".to_owned());
    let (invalid, asked) = failure(complete.clone(), error(200, "InvalidPart"));
    assert_eq!((invalid.error.code.as_deref(), invalid.error.status, asked), (Some("InvalidPart"), Some(200), 1));
    let (late, _) = failure(complete.clone(), error(200, "PreconditionFailed"));
    assert!(late.is(412, "PreconditionFailed") && !late.is(409, "ConditionalRequestConflict"));
    // S3 sends white space while it works.
    let body =
        "<?xml version=\"1.0\"?>\n   \n<CompleteMultipartUploadResult><Key>key</Key></CompleteMultipartUploadResult>";
    let (result, _) = call(complete, &[ResponseTemplate::new(200).set_body_raw(body, "application/xml")]);
    assert_eq!(result.and_then(Answer::document).expect("a document").text_of("Key"), Some("key"));
    let (empty, _) = call(put(), &[ResponseTemplate::new(200)]);
    let missing = empty.and_then(Answer::document).expect_err("no document");
    assert_eq!(missing.error.kind, CallErrorKind::Malformed);
}

#[test]
fn rejected_calls_are_not_asked_for_again() {
    let (denied, asked) = failure(put(), error(403, "AccessDenied"));
    assert_eq!((denied.error.kind, denied.error.detail.as_deref(), asked), (CallErrorKind::Denied, Some("Why"), 1));
    let (unknown, asked) = failure(put(), error(501, "NotImplemented"));
    assert!(unknown.is(501, "") && asked == 1, "{unknown:?}");
    let head = || S3Request::of_bucket("HEAD");
    for status in [301, 307, 400, 403, 404] {
        let answer = ResponseTemplate::new(status).insert_header("x-amz-bucket-region", "eu-central-1");
        let (refused, asked) = failure(head(), answer);
        assert_eq!((refused.error.status, asked), (Some(status), 1));
        assert_eq!(refused.elsewhere("eu-west-1"), Some("eu-central-1"));
        assert_eq!(refused.elsewhere("eu-central-1"), None);
    }
}

#[test]
fn an_upload_that_stalls_fails_before_its_timeout() {
    // The system accepts connections, and nobody reads.
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let protection = StalledStreamProtectionConfig::enabled().grace_period(Duration::from_millis(200)).build();
    let config = config().stalled_stream_protection(protection).retry_config(RetryConfig::disabled());
    let content = Bytes::from(vec![0; 32 << 20]);
    let request = S3Request::of_object("PUT", "key").content(content.clone(), &Checksum::of(&content));
    let result = runtime().expect("a runtime").block_on(async {
        let client = bucket(&url, config).await;
        tokio::time::timeout(Duration::from_secs(30), client.call(request)).await
    });
    drop(listener);
    let failure = result.expect("a stalled upload ends").expect_err("a failure");
    assert_eq!(failure.error.kind, CallErrorKind::TimedOut);
}
