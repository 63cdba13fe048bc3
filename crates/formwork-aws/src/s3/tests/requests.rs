//! Tests of requests as they are sent.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_async::time::TimeSource;
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::http::StatusCode;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::date_time::{DateTime, Format};
use bytes::Bytes;

use super::config;
use crate::runtime::runtime;
use crate::s3::{Checksum, S3Client, S3Request};

/// An AWS endpoint that answers every request with an empty success, and records URL and headers.
#[derive(Clone, Default, Debug)]
struct Recorder(Arc<Mutex<Vec<Sent>>>);

#[derive(Debug)]
struct Sent {
    url: String,
    headers: Vec<(String, String)>,
}

impl HttpConnector for Recorder {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let headers = request.headers().iter().map(|(name, value)| (name.to_owned(), value.to_owned()));
        let sent = Sent { url: request.uri().to_owned(), headers: headers.collect() };
        self.0.lock().expect("the log").push(sent);
        HttpConnectorFuture::ready(Ok(HttpResponse::new(
            StatusCode::try_from(200).expect("a status"),
            SdkBody::empty(),
        )))
    }
}

#[derive(Debug)]
struct Fixed(SystemTime);

impl TimeSource for Fixed {
    fn now(&self) -> SystemTime {
        self.0
    }
}

/// Compares with the signature of botocore's `S3SigV4Auth` for the same request at the same time.
fn check(token: Option<&str>, signed_headers: &str, signature: &str) {
    let recorder = Recorder::default();
    let connector = SharedHttpConnector::new(recorder.clone());
    let time = DateTime::from_str("2026-01-31T09:00:00Z", Format::DateTime).expect("a time");
    let secret = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
    let credentials = Credentials::new("AKIDEXAMPLE", secret, token.map(str::to_owned), None, "tests");
    let config = config()
        .http_client(http_client_fn(move |_, _| connector.clone()))
        .time_source(Fixed(time.try_into().expect("a time")))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .build();
    let content = Bytes::from_static(b"content");
    let request = S3Request::of_object("PUT", "a b+c//../ü=&.zip")
        .query("partNumber", "1")
        .query("uploadId", "x y+/~")
        .header("x-amz-meta-team", "a  b")
        .content(content.clone(), &Checksum::of(&content));
    runtime().expect("a runtime").block_on(async {
        let client = S3Client::new("my-bucket", "eu-west-1", &config).await.expect("a client");
        client.call(request).await.expect("a success");
    });
    let sent = recorder.0.lock().expect("the log");
    let [Sent { url, headers }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!(
        url,
        "https://my-bucket.s3.eu-west-1.amazonaws.com/a%20b%2Bc//../%C3%BC%3D%26.zip?partNumber=1&uploadId=x%20y%2B%2F~"
    );
    let header = |name: &str| headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str());
    let digest = "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73";
    assert_eq!(header("x-amz-content-sha256"), Some(digest));
    assert_eq!(header("x-amz-checksum-sha256"), Some("7XACtDnprIRfIjV9giusFERzD722AW0+yUMil7nsn3M="));
    assert_eq!(header("x-amz-security-token"), token);
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20260131/eu-west-1/s3/aws4_request, SignedHeaders=content-length;host;x-amz-checksum-sha256;x-amz-content-sha256;x-amz-date;x-amz-meta-team{signed_headers}, Signature={signature}"
    );
    assert_eq!(header("authorization"), Some(authorization.as_str()));
}

#[test]
fn paths_are_signed_as_they_are_sent() {
    check(None, "", "55cfd11b255ec58674f36f2f01a71359a9e8320b2306dd9d32d46e9805eae988");
    check(
        Some("a/session+token="),
        ";x-amz-security-token",
        "a0920bb3b3a9bd04f795190c885afa2095286dead5037cca9d6e9810d1b54457",
    );
}
