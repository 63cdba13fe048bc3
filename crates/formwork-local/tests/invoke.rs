//! Functions as real processes (reference/local.md#invoke): results, errors, limits, and that nothing is left running.

use std::time::{Duration, Instant};

use crate::support::{self, Folder, has_program};
use formwork_local::Failure;
use serde_json::{Value, json};

fn payload(answer: &formwork_local::Answer) -> Value {
    serde_json::from_slice(&answer.payload).expect("JSON")
}

const PYTHON: &str = "
def echo(event, context):
    print('a line')
    return {'event': event, 'name': context.function_name, 'left': context.get_remaining_time_in_millis() > 0}
def fail(event, context):
    raise KeyError('x')
def unserializable(event, context):
    return {1, 2}
def slow(event, context):
    import signal, subprocess, time
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    print('child', subprocess.Popen(['sleep', '300']).pid, flush=True)
    time.sleep(300)
def crash(event, context):
    import os
    os._exit(7)
def large(event, context):
    return 'x' * 7_000_000
def decimals(event, context):
    import decimal
    return {'d': decimal.Decimal('1.10'), 'u': '\\u00e9'}
";

const NODE: &str = "
exports.echo = async (event, context) => ({ event, id: context.awsRequestId });
exports.callback = (event, context, callback) => { setTimeout(() => callback(null, { called: true }), 5); };
exports.nothing = () => {};
exports.fail = async () => { throw new TypeError('no'); };
exports.failed = (event, context, callback) => { callback('a string'); };
exports.rejected = async () => { Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 1000)); };
exports.value = 3;
";

fn python(folder: &Folder, handler: &str) -> formwork_local::Answer {
    folder.invoke("python3.11", handler, "{\"a\": 1}")
}

#[test]
fn python_results_and_errors_are_those_of_lambda() {
    let folder =
        Folder::new().with("app.py", PYTHON).with("broken.py", "def handler(:\n").with("lost.py", "import nosuch\n");
    let answer = python(&folder, "app.echo");
    assert_eq!(payload(&answer), json!({"event": {"a": 1}, "name": "F", "left": true}));
    assert!(folder.log().contains("a line\n"), "{}", folder.log());
    let lines: Vec<&str> = folder.log.lines_of(&answer.id);
    assert!(
        lines[0].starts_with("START RequestId: ") && lines[1].starts_with("END ") && lines[2].starts_with("REPORT ")
    );

    let answer = python(&folder, "app.fail");
    let error = payload(&answer);
    assert_eq!(
        (answer.failure, &error["errorType"], &error["errorMessage"]),
        (Some(Failure::Function), &json!("KeyError"), &json!("'x'"))
    );
    assert_eq!(error["requestId"], json!(answer.id));
    assert!(
        error["stackTrace"][0].as_str().is_some_and(|frame| frame.contains("app.py\", line 6, in fail")),
        "{error}"
    );

    let kinds = [
        (
            "app.unserializable",
            "Runtime.MarshalError",
            "Unable to marshal response: Object of type set is not JSON serializable",
        ),
        ("app.nosuch", "Runtime.HandlerNotFound", "Handler 'nosuch' missing on module 'app'"),
        ("nosuch.handler", "Runtime.ImportModuleError", "Unable to import module 'nosuch': No module named 'nosuch'"),
        ("lost.handler", "Runtime.ImportModuleError", "Unable to import module 'lost': No module named 'nosuch'"),
        ("broken.handler", "Runtime.UserCodeSyntaxError", "Syntax error in module 'broken': "),
        ("handler", "Runtime.MalformedHandlerName", "Bad handler 'handler': "),
    ];
    for (handler, kind, message) in kinds {
        let answer = python(&folder, handler);
        let error = payload(&answer);
        assert!(answer.failure.is_some() && error["errorType"] == kind, "{handler}: {error}");
        assert!(error["errorMessage"].as_str().is_some_and(|text| text.starts_with(message)), "{handler}: {error}");
    }
    let answer = python(&folder, "app.decimals");
    assert_eq!(answer.payload, r#"{"d": 1.10, "u": "\u00e9"}"#);
}

#[test]
fn node_results_and_errors_are_those_of_lambda() {
    if !has_program("node") {
        eprintln!("skipped: there is no node");
        return;
    }
    let folder = Folder::new()
        .with("app.js", NODE)
        .with("es.mjs", "export const handler = async (event) => event.a + 1;\n")
        .with("broken.js", "exports.handler = (;\n")
        .with("lost.js", "require('nosuch');\n");
    let run = |handler: &str| folder.invoke("nodejs20.x", handler, "{\"a\": 1}");
    let answer = run("app.echo");
    assert_eq!(payload(&answer), json!({"event": {"a": 1}, "id": answer.id}));
    assert_eq!(payload(&run("app.callback")), json!({"called": true}));
    assert_eq!(payload(&run("app.nothing")), Value::Null);
    assert_eq!(payload(&run("es.handler")), json!(2));
    let kinds = [
        ("app.fail", "TypeError", "no"),
        ("app.failed", "string", "a string"),
        ("app.rejected", "Runtime.UnhandledPromiseRejection", "Error: lost"),
        ("app.nosuch", "Runtime.HandlerNotFound", "app.nosuch is undefined or not exported"),
        ("app.value", "Runtime.HandlerNotFound", "app.value is not a function"),
        ("nosuch.handler", "Runtime.ImportModuleError", "Error: Cannot find module 'nosuch'"),
        ("lost.handler", "Runtime.ImportModuleError", "Error: Cannot find module 'nosuch'"),
        ("broken.handler", "Runtime.UserCodeSyntaxError", "SyntaxError: "),
        ("handler", "Runtime.MalformedHandlerName", "Bad handler"),
    ];
    for (handler, kind, message) in kinds {
        let answer = run(handler);
        let error = payload(&answer);
        assert!(answer.failure.is_some() && error["errorType"] == kind, "{handler}: {error}");
        assert!(error["errorMessage"].as_str().is_some_and(|text| text.starts_with(message)), "{handler}: {error}");
    }
}

#[test]
fn a_timeout_kills_the_whole_process_group() {
    let folder = Folder::new().with("app.py", PYTHON);
    let begin = Instant::now();
    let answer = python(&folder, "app.slow");
    assert_eq!(answer.failure, Some(Failure::Timeout));
    let message = payload(&answer)["errorMessage"].as_str().map(str::to_owned).expect("a message");
    assert!(message.ends_with(&format!("{} Task timed out after 1.00 seconds", answer.id)), "{message}");
    assert!(begin.elapsed() < Duration::from_secs(10));
    let log = folder.log();
    let child = log.lines().find_map(|line| line.strip_prefix("child ")).expect("the child's ID");
    support::await_end(child);
}

#[test]
fn an_ended_process_and_a_large_result_are_errors() {
    let folder = Folder::new().with("app.py", PYTHON);
    let answer = python(&folder, "app.crash");
    assert_eq!(answer.failure, Some(Failure::Ended));
    let message = format!("RequestId: {} Error: Runtime exited with error: exit status 7", answer.id);
    assert_eq!(payload(&answer), json!({"errorType": "Runtime.ExitError", "errorMessage": message}));
    let answer = python(&folder, "app.large");
    assert_eq!(answer.failure, Some(Failure::TooLarge));
    assert_eq!(payload(&answer)["errorType"], "Function.ResponseSizeTooLarge");
}

#[test]
fn a_bootstrap_is_run_and_one_that_never_asks_is_killed() {
    if !has_program("curl") {
        eprintln!("skipped: there is no curl");
        return;
    }
    let script = "#!/bin/sh
api=\"http://$AWS_LAMBDA_RUNTIME_API/2018-06-01/runtime\"
while :; do
  event=$(curl -sS -D headers.$$ \"$api/invocation/next\") || exit 1
  id=$(grep -i '^lambda-runtime-aws-request-id' headers.$$ | tr -d '\\r' | cut -d' ' -f2)
  curl -sS -o /dev/null \"$api/invocation/$id/response\" -d \"{\\\"got\\\": $event, \\\"root\\\": \\\"$LAMBDA_TASK_ROOT\\\"}\"
done
";
    let folder = Folder::new().with_program("bootstrap", script);
    let answer = folder.invoke("provided.al2023", "x", "{\"a\": 1}");
    assert_eq!(payload(&answer)["got"], json!({"a": 1}));

    let deaf = Folder::new().with_program("bootstrap", "#!/bin/sh\ntrap '' TERM\necho me $$\nsleep 300\n");
    let answer = deaf.invoke_scaled("provided.al2023", "x", "{}", 0.1);
    assert_eq!(answer.failure, Some(Failure::Timeout));
    let log = deaf.log();
    let process = log.lines().find_map(|line| line.strip_prefix("me ")).expect("the process's ID");
    support::await_end(process);
}

#[test]
fn a_process_that_never_reads_its_event_is_killed() {
    // It asks for an event, and reads nothing of an answer that is larger than what the system holds for it.
    let program = "#!/usr/bin/env python3
import os, signal, socket, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
host, port = os.environ['AWS_LAMBDA_RUNTIME_API'].split(':')
connection = socket.create_connection((host, int(port)))
connection.sendall(b'GET /2018-06-01/runtime/invocation/next HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
print('me', os.getpid(), flush=True)
time.sleep(300)
";
    let folder = Folder::new().with_program("bootstrap", program);
    let event = format!("\"{}\"", "x".repeat(6_000_000));
    let begin = Instant::now();
    let answer = folder.invoke("provided.al2023", "x", &event);
    assert_eq!(answer.failure, Some(Failure::Timeout));
    assert!(begin.elapsed() < Duration::from_secs(10));
    let log = folder.log();
    let process = log.lines().find_map(|line| line.strip_prefix("me ")).expect("the process's ID");
    support::await_end(process);
}

#[test]
fn memory_that_was_given_back_before_the_answer_counts() {
    // Between two looks at the processes: the system fills the pages in one call.
    let code = "
import mmap
def handler(event, context):
    if event['a']:
        mmap.mmap(-1, 300 << 20, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x8000).close()
    return 1
";
    let folder = Folder::new().with("app.py", code);
    let answer = folder.invoke_scaled("python3.11", "app.handler", "{\"a\": 0}", 10.0);
    assert_eq!(answer.failure, None);
    let answer = folder.invoke_scaled("python3.11", "app.handler", "{\"a\": 1}", 10.0);
    assert_eq!(answer.failure, Some(Failure::Ended));
    let error = payload(&answer)["errorMessage"].to_string();
    assert!(error.contains("signal: killed"), "{error}");
    assert!(folder.log().contains("Max Memory Used: 128 MB"), "{}", folder.log());
}

#[test]
fn a_second_reader_gets_no_event_and_the_first_one_does() {
    let program = "#!/usr/bin/env python3
import http.client, json, os, threading, time
def call(method, path, body=None):
    connection = http.client.HTTPConnection(os.environ['AWS_LAMBDA_RUNTIME_API'])
    connection.request(method, '/2018-06-01/runtime/' + path, body)
    answer = connection.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read().decode()
import socket
host, port = os.environ['AWS_LAMBDA_RUNTIME_API'].split(':')
lost = socket.create_connection((host, int(port)))
lost.sendall(b'GET /2018-06-01/runtime/invocation/next HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n')
first = lost.recv(100000).decode()
seen = [call('GET', 'invocation/next')[0]]
id = [line.split(': ')[1] for line in first.split('\\r\\n') if line.lower().startswith('lambda-runtime-aws-request-id')][0]
seen.append(call('POST', 'invocation/' + id + '/response', json.dumps(seen))[0])
time.sleep(300)
";
    let folder = Folder::new().with_program("bootstrap", program);
    let answer = folder.invoke_scaled("provided.al2023", "x", "{}", 10.0);
    assert_eq!((answer.failure, payload(&answer)), (None, json!([403])), "{}", folder.log());
}

#[test]
fn directories_of_functions_are_private() {
    let folder = Folder::new();
    let mut function = formwork_local::Function::clone(&folder.function("python3.11", "index.handler"));
    let code = "import os\ndef handler(event, context):\n    root = os.path.dirname(os.environ['LAMBDA_TASK_ROOT'])\n    return [oct(os.stat(root).st_mode & 0o777), sorted(map(int, os.listdir('/proc/self/fd')))[:3]]\n";
    function.code = formwork_local::CodeSource::Inline(code.to_owned());
    let settings = formwork_local::PoolSettings { is_warm: false, concurrency: 1, warn: std::sync::Arc::new(|_| {}) };
    let (launch, log) = (support::launch(10.0), formwork_local::Log::new(Vec::new()));
    let invocation = formwork_local::Invocation::new("{}");
    let answer = formwork_local::invoke_once(launch, &std::sync::Arc::new(function), invocation, settings, log);
    let answer = answer.expect("a process").expect("no signal");
    assert_eq!(payload(&answer), json!(["0o700", [0, 1, 2]]));
}
