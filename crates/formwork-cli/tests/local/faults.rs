//! Functions and clients that misbehave.
//!
//! Holds reference/local.md#memory.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::harness::{Folder, Server, get, invoke, text};

const TEMPLATE: &str = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {Runtime: python3.11, CodeUri: src, Timeout: 1}}
Resources:
  Echo:
    Type: AWS::Serverless::Function
    Properties:
      Handler: app.echo
      Timeout: 20
      Events:
        Rest: {Type: Api, Properties: {Path: /echo, Method: any}}
        Http: {Type: HttpApi, Properties: {Path: /echo, Method: any}}
  Crash:
    Type: AWS::Serverless::Function
    Properties: {Handler: app.crash, Events: {Http: {Type: HttpApi, Properties: {Path: /crash, Method: get}}}}
  Slow:
    Type: AWS::Serverless::Function
    Properties:
      Handler: app.slow
      Events:
        Rest: {Type: Api, Properties: {Path: /slow, Method: get}}
        Http: {Type: HttpApi, Properties: {Path: /slow, Method: get}}
  Hungry: {Type: AWS::Serverless::Function, Properties: {Handler: app.hungry, Timeout: 20, MemorySize: 128}}
";

const CODE: &str = "
import os, time
def echo(event, context):
    return event.get('body') or event
def crash(event, context):
    if (event.get('queryStringParameters') or {}).get('n') == '1':
        os._exit(3)
    return 'alive'
def slow(event, context):
    if not event.get('queryStringParameters'):
        time.sleep(60)
    return {'statusCode': 200, 'body': 'fast'}
def hungry(event, context):
    held = []
    while len(held) < event['megabytes']:
        held.append(os.urandom(1 << 20))
        time.sleep(0.002)
    return len(held)
";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.write("template.yaml", TEMPLATE);
    folder.write("src/app.py", CODE);
    folder
}

#[test]
fn a_function_that_ends_or_takes_too_long_harms_no_other_request() {
    let folder = folder("crash");
    let server = Server::start(&folder, &["local", "start-api", "--port", "0"]);
    let rest = server.port("REST API ServerlessRestApi");
    let http = server.port("HTTP API ServerlessHttpApi");
    assert_eq!(get(http, "/crash").0, 200);
    assert_eq!(get(http, "/crash?n=1"), (502, json!({"message": "Internal server error"})));
    assert_eq!(get(http, "/crash").0, 200);
    assert_eq!(get(rest, "/slow"), (504, json!({"message": "Endpoint request timed out"})));
    assert_eq!(get(http, "/slow"), (503, json!({"message": "Service Unavailable"})));
    assert_eq!((get(rest, "/slow?n=1").0, get(http, "/slow?n=1").0), (200, 200));
    server.end();
}

#[test]
fn events_and_results_of_six_megabytes_pass() {
    let folder = folder("large");
    let server = Server::start(&folder, &["local", "start-lambda", "--port", "0"]);
    let port = server.port("Lambda is at");
    let event = |bytes: usize| format!("{{\"body\": \"{}\"}}", "x".repeat(bytes));
    let most = 6 * 1024 * 1024;
    let (status, _, body) = invoke(port, "Echo", "", &event(most - 100));
    assert_eq!((status, body.len()), (200, most - 100 + 2));
    let (status, head, body) = invoke(port, "Echo", "", &event(most + 100));
    assert!(status == 413 && head.contains("x-amzn-errortype: requesttoolargeexception"), "{head}{body}");
    assert_eq!(invoke(port, "Echo", "", "{\"body\": 1}").2, "1");
    server.end();
}

#[test]
fn clients_may_be_slow_leave_early_and_come_back_on_one_connection() {
    let folder = folder("clients");
    let server = Server::start(&folder, &["local", "start-api", "--port", "0", "--concurrency", "2"]);
    let port = server.port("HTTP API ServerlessHttpApi");
    let connect = || TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    let post =
        |body: &str| format!("POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let slow = thread::spawn({
        let (mut stream, text) = (connect(), post("\"slow\""));
        move || {
            for byte in text.bytes() {
                stream.write_all(&[byte]).expect("a byte");
                thread::sleep(Duration::from_millis(5));
            }
            body(&mut BufReader::new(stream))
        }
    });
    // More clients than processes leave before they get an answer.
    for _ in 0..5 {
        connect().write_all(b"GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
        connect()
            .write_all(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\nhalf")
            .expect("a half");
    }
    let mut kept = BufReader::new(connect());
    for n in 0..20 {
        kept.get_mut().write_all(post(&n.to_string()).as_bytes()).expect("a request");
        assert_eq!(body(&mut kept), n.to_string());
    }
    // Two requests sent together on one connection are answered in order.
    kept.get_mut().write_all((post("\"a\"") + &post("\"b\"")).as_bytes()).expect("requests");
    assert_eq!((body(&mut kept), body(&mut kept)), ("\"a\"".to_owned(), "\"b\"".to_owned()));
    assert_eq!(slow.join().expect("an answer"), "\"slow\"");
    server.end();
}

/// The body of the next answer of a connection that is kept.
fn body(stream: &mut BufReader<TcpStream>) -> String {
    let mut length = 0;
    loop {
        let mut line = String::new();
        assert!(stream.read_line(&mut line).expect("a line") > 0, "the connection was closed");
        if let Some(value) = line.to_lowercase().strip_prefix("content-length: ") {
            length = value.trim().parse().expect("a length");
        }
        if line == "\r\n" {
            break;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).expect("a body");
    text(&body)
}

#[test]
fn the_port_of_a_second_api_may_be_taken() {
    let folder = folder("taken");
    // The second API is on the port behind that of the first.
    let (taken, first) = loop {
        let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
        let first = taken.local_addr().expect("an address").port() - 1;
        if TcpListener::bind(("127.0.0.1", first)).is_ok() {
            break (taken, first);
        }
    };
    let output = folder.run(&["local", "start-api", "--port", &first.to_string()]);
    assert_eq!(output.status.code(), Some(2));
    let message = format!("port {} is taken", taken.local_addr().expect("an address").port());
    assert!(text(&output.stderr).contains(&message), "{}", text(&output.stderr));
}

#[test]
fn a_function_with_more_memory_than_it_may_have_is_killed() {
    let folder = folder("memory");
    folder.write("few.json", "{\"megabytes\": 20}");
    folder.write("many.json", "{\"megabytes\": 300}");
    let run = |event: &str, more: &[&str]| {
        let output = folder.run(&[&["local", "invoke", "Hungry", "-e", event], more].concat());
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    assert_eq!(run("few.json", &[]).1, "20\n");
    if !std::path::Path::new("/proc/self/statm").exists() {
        return;
    }
    let (status, out, err) = run("many.json", &[]);
    let error: Value = serde_json::from_str(&out).expect("JSON");
    let message = error["errorMessage"].as_str().unwrap_or_default();
    assert!(message.ends_with(" Error: Runtime exited with error: signal: killed"), "{out}");
    assert_eq!((status, &error["errorType"]), (Some(1), &json!("Runtime.ExitError")));
    assert!(err.contains("Hungry has a MemorySize of 128 MB: its processes had more memory and were killed"), "{err}");
    assert!(err.contains("Memory Size: 128 MB\tMax Memory Used: 128 MB"), "{err}");
    assert_eq!(run("many.json", &["--no-memory-limit"]).1, "300\n");
}
