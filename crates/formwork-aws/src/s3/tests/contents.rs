//! Tests of object contents.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;

use aws_smithy_runtime_api::client::stalled_stream_protection::StalledStreamProtectionConfig;

use super::{bucket, config};
use crate::runtime::runtime;
use crate::s3::{Checksum, S3Request, Unread};

/// Reads an object from a server that sends `answer` and, if it `hangs`, nothing more.
fn read(answer: String, hangs: bool, limit: u64) -> Result<Vec<u8>, Unread> {
    exchange("key", answer, hangs, limit).0
}

/// Like [`read`], and returns the request as well.
fn exchange(key: &str, answer: String, hangs: bool, limit: u64) -> (Result<Vec<u8>, Unread>, String) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let server = thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a connection");
        let mut request = Vec::new();
        while !request.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte).expect("a request");
            request.push(byte[0]);
        }
        stream.write_all(answer.as_bytes()).expect("an answer");
        if hangs {
            let _ = stream.read(&mut [0]);
        }
        String::from_utf8(request).expect("a request in UTF-8")
    });
    let result = runtime().expect("a runtime").block_on(async {
        let protection = StalledStreamProtectionConfig::enabled().grace_period(Duration::from_millis(200)).build();
        let client = bucket(&url, config().stalled_stream_protection(protection)).await;
        client.read(S3Request::of_object("GET", key)).await.expect("an answer").read(limit).await
    });
    (result, server.join().expect("the server ends"))
}

fn answer(headers: &str, body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nConnection: close\r\n{headers}\r\n{body}")
}

#[test]
fn contents_have_a_limit() {
    assert_eq!(read(answer("Content-Length: 5\r\n", "whole"), false, 5).as_deref(), Ok(&b"whole"[..]));
    assert_eq!(read(answer("Content-Length: 6\r\n", ""), true, 5), Err(Unread::TooLarge), "before it is read");
    let chunked = answer("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n3\r\ndef\r\n0\r\n\r\n");
    assert_eq!(read(chunked.clone(), false, 6).as_deref(), Ok(&b"abcdef"[..]));
    assert_eq!(read(chunked, false, 5), Err(Unread::TooLarge));
    // XML is a content like others, also if it looks like an error.
    let page = answer("Content-Length: 8\r\n", "<Error/>");
    assert_eq!(read(page, false, 100).as_deref(), Ok(&b"<Error/>"[..]));
}

#[test]
fn paths_arrive_as_they_were_written() {
    let (_, request) = exchange("/a//../b +/.", answer("Content-Length: 0\r\n", ""), false, 0);
    assert!(request.starts_with("GET /bucket//a//../b%20%2B/. HTTP/1.1\r\n"), "{request}");
}

#[test]
fn contents_that_end_early() {
    for hangs in [false, true] {
        let result = read(answer("Content-Length: 9\r\n", "abc"), hangs, 100);
        assert!(matches!(result, Err(Unread::Broken(_))), "{result:?}");
    }
    let cut = read(answer("Transfer-Encoding: chunked\r\n", "3\r\nabc\r\n"), false, 100);
    assert!(matches!(cut, Err(Unread::Broken(_))), "{cut:?}");
}

#[test]
fn checksums_of_whole_objects_are_verified() {
    let with =
        |sum: &str| read(answer(&format!("Content-Length: 3\r\nx-amz-checksum-sha256: {sum}\r\n"), "abc"), false, 9);
    let (right, wrong) = (Checksum::of(b"abc").to_string(), Checksum::of(b"abd").to_string());
    assert_eq!(with(&right).as_deref(), Ok(&b"abc"[..]));
    assert_eq!(with(&wrong), Err(Unread::Altered { expected: wrong.clone(), actual: right }));
    assert_eq!(with(&format!("{wrong}-2")).as_deref(), Ok(&b"abc"[..]), "that of two parts");
}
