//! The loaders of this crate against the runtime clients of AWS (reference/local.md#runtimes): results, errors, the
//! status of the process and the lines that functions log are equal.

use std::path::{Path, PathBuf};

use crate::support::{self, Folder, has_program};
use formwork_local::Failure;
use serde_json::Value;

const EVENT: &str = r#"{"a": [1.5, null], "b": "\u00e9"}"#;

const PYTHON: &str = "
import decimal, logging
def echo(event, context):
    print('a line')
    logging.getLogger().warning('a warning')
    return {'event': event, 'name': context.function_name, 'left': context.get_remaining_time_in_millis() > 0}
def fail(event, context):
    raise KeyError('x')
def unserializable(event, context):
    return {1, 2}
def crash(event, context):
    import os
    os._exit(7)
def leave(event, context):
    import sys
    sys.exit(3)
def large(event, context):
    return 'x' * 7_000_000
def decimals(event, context):
    return {'d': decimal.Decimal('1.10'), 'u': '\\u00e9'}
";

const NODE: &str = "
const later = (call) => setTimeout(call, 5);
exports.echo = async (event, context) => {
  console.log('a line\\nof two', { deep: [1] });
  console.warn('%s and %d', 'text', 2);
  return { event, keys: Object.keys(context).sort(), left: context.getRemainingTimeInMillis() > 0 };
};
exports.environment = async () => Object.keys(process.env).sort();
exports.callback = (event, context, callback) => { later(() => callback(null, { called: true })); };
exports.waits = (event, context, callback) => {
  callback(null, { called: true });
  later(() => console.log('before the answer'));
};
exports.hurries = (event, context, callback) => {
  context.callbackWaitsForEmptyEventLoop = false;
  setTimeout(() => console.log('never seen'), 60000);
  callback(null, 1);
};
exports.succeed = (event, context) => { later(() => context.succeed('done')); };
exports.failing = (event, context) => { context.fail(); };
exports.done = (event, context) => { context.done(new RangeError('far'), 1); };
exports.both = async (event, context, callback) => { callback(null, 'first'); return 'second'; };
exports.twice = (event, context, callback) => { callback(null, 1); callback(null, 2); };
exports.nothing = () => {};
exports.none = async () => {};
exports.fail = async () => { throw new TypeError('no'); };
exports.throws = () => { throw Object.assign(new Error('at once'), { code: 'E1', detail: { a: 1 } }); };
exports.plain = async () => { throw { name: 'Mine', message: 'm', stack: 'Mine: m\\n    at nowhere' }; };
exports.failed = (event, context, callback) => { callback('a string'); };
exports.circular = async () => { const value = {}; value.value = value; return value; };
exports.rejected = async () => { Promise.reject(new Error('lost')); await new Promise((r) => setTimeout(r, 1000)); };
exports.uncaught = async () => { later(() => { throw new Error('late'); }); await new Promise((r) => setTimeout(r, 1000)); };
exports.exits = async () => process.exit(5);
exports.value = 3;
exports.default = { inner: async () => 1 };
exports.large = async () => 'x'.repeat(7000000);
exports.streamed = awslambda.streamifyResponse(async (event, stream) => {
  const with_head = awslambda.HttpResponseStream.from(stream, { statusCode: 201 });
  with_head.write('a');
  with_head.write({ b: 1 });
  with_head.end();
});
exports.broken_stream = awslambda.streamifyResponse(async (event, stream) => { stream.write('a'); throw new Error('torn'); });
exports.no_promise = awslambda.streamifyResponse((event, stream) => { stream.write('a'); });
";

const NODE_HANDLERS: &[&str] = &[
    "app.echo",
    "app.environment",
    "app.callback",
    "app.waits",
    "app.hurries",
    "app.succeed",
    "app.failing",
    "app.done",
    "app.both",
    "app.twice",
    "app.nothing",
    "app.none",
    "app.fail",
    "app.throws",
    "app.plain",
    "app.failed",
    "app.circular",
    "app.rejected",
    "app.uncaught",
    "app.exits",
    "app.value",
    "app.default.inner",
    "app.large",
    "app.streamed",
    "app.broken_stream",
    "app.no_promise",
    "app.nosuch",
    "deep/er.handler",
    "es.handler",
    "module/app.handler",
    "common.handler",
    "nosuch.handler",
    "lost.handler",
    "broken.handler",
    "throws.handler",
    "handler",
    "../app.echo",
];

/// What a caller sees of one invocation, without what differs from run to run.
#[derive(PartialEq, Debug)]
struct Seen {
    failure: Option<Failure>,
    payload: Value,
    log: Vec<String>,
}

/// Frames of the runtime, and of Node itself, which follow those of the function.
const RUNTIME: [&str; 4] = ["aws-lambda-ric", "/runtime/node.mjs", "node:internal", "(internal/"];

fn is_frame_of_runtime(line: &str) -> bool {
    line.trim_start().starts_with("at ") && RUNTIME.iter().any(|part| line.contains(part))
        || line.trim_start().starts_with("at new Promise (<anonymous>)")
}

/// Names the file of the runtime in the "Require stack" of Node.
fn without_runtime(text: &str) -> String {
    let line = |line: &str| match line.strip_prefix("- ") {
        Some(path) if RUNTIME.iter().any(|part| path.contains(part)) => "- RUNTIME".to_owned(),
        _ => line.to_owned(),
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

fn normal(value: Value) -> Value {
    match value {
        Value::Array(items) => {
            let lines = items.into_iter().filter(|item| !item.as_str().is_some_and(is_frame_of_runtime));
            Value::Array(lines.map(normal).collect())
        }
        Value::Object(object) => object.into_iter().map(|(name, value)| (name, normal(value))).collect(),
        Value::String(text) => Value::String(without_runtime(&text)),
        other => other,
    }
}

/// Lines of a log without times, and with the JSON behind the last tab in its normal form.
fn normal_line(line: &str, id: &str) -> String {
    let line = line.replace(id, "ID");
    let is_time = |part: &str| part.len() == 24 && part.starts_with("20") && part.ends_with('Z');
    let part = |part: &str| if is_time(part) { "TIME".to_owned() } else { part.to_owned() };
    let mut parts: Vec<String> = line.split('\t').map(part).collect();
    if let Some(last) = parts.last_mut()
        && let Ok(value @ Value::Object(_)) = serde_json::from_str(last)
    {
        *last = normal(value).to_string();
    }
    parts.join("\t")
}

fn see(folder: &Folder, runtime: &str, handler: &str, packages: Option<&Path>) -> Seen {
    let before = folder.log().len();
    let answer = folder.invoke_with(runtime, handler, EVENT, 1.0, packages);
    let text = String::from_utf8_lossy(&answer.payload).replace(&answer.id, "ID");
    let payload = serde_json::from_str(&text).map_or(Value::String(text), normal);
    let log = folder.log()[before..].to_owned();
    // Lines that the servers and the client of AWS print.
    let is_own = |line: &&str| {
        let others = ["START ", "END ", "REPORT ", "Executing '"];
        !others.iter().any(|prefix| line.starts_with(prefix)) && !line.contains("LAMBDA_RUNTIME Failed to post")
    };
    // After an answer that is too large the process is ended while it still prints, or before.
    let is_ended = answer.failure == Some(Failure::TooLarge);
    let log = log.lines().filter(is_own).filter(|_| !is_ended).map(|line| normal_line(line, &answer.id)).collect();
    Seen { failure: answer.failure, payload, log }
}

/// Shows all handlers whose runs differ.
fn assert_equal(runs: Vec<(&str, Seen, Seen)>) {
    let other = runs.into_iter().filter(|(_, ours, theirs)| ours != theirs);
    let shown = other.map(|(handler, ours, theirs)| format!("{handler}\n  ours   {ours:?}\n  theirs {theirs:?}\n"));
    let shown: String = shown.collect();
    assert!(shown.is_empty(), "{shown}");
}

#[test]
fn the_loader_of_python_equals_awslambdaric() {
    let Some(packages) = support::awslambdaric() else {
        eprintln!("skipped: awslambdaric cannot be installed here");
        return;
    };
    let folder = Folder::new().with("app.py", PYTHON).with("broken.py", "def handler(:\n").with("wrong.py", "1 / 0\n");
    let handlers = [
        "app.echo",
        "app.fail",
        "app.unserializable",
        "app.nosuch",
        "nosuch.handler",
        "broken.handler",
        "wrong.handler",
        "handler",
        "sys.exit",
        "app.crash",
        "app.leave",
        "app.large",
        "app.decimals",
    ];
    let runs = handlers.map(|handler| {
        let ours = see(&folder, "python3.11", handler, None);
        (handler, ours, see(&folder, "python3.11", handler, Some(&packages)))
    });
    assert_equal(runs.into());
}

/// The directory of packages with aws-lambda-ric, which `FORMWORK_LAMBDA_RIC` names.
fn aws_lambda_ric() -> Option<PathBuf> {
    let found = std::env::var_os("FORMWORK_LAMBDA_RIC").map(|folder| PathBuf::from(folder).join("node_modules"));
    let found = found.filter(|folder| folder.join("aws-lambda-ric/package.json").is_file());
    let is_required = std::env::var_os("FORMWORK_REQUIRE_LAMBDA_RIC").is_some();
    assert!(found.is_some() || !is_required, "FORMWORK_LAMBDA_RIC names no directory with aws-lambda-ric");
    if found.is_none() {
        eprintln!("skipped: FORMWORK_LAMBDA_RIC names no directory with aws-lambda-ric");
    }
    found
}

#[test]
fn the_loader_of_node_equals_aws_lambda_ric() {
    let Some(packages) = aws_lambda_ric() else { return };
    assert!(has_program("node"), "there is aws-lambda-ric and no node");
    let folder = Folder::new()
        .with("app.js", NODE)
        .with("deep/er.js", "exports.handler = async () => 'deep';\n")
        .with("es.mjs", "export const handler = async (event) => event.a[0] + 1;\n")
        .with("module/package.json", "{\"type\": \"module\"}")
        .with("module/app.js", "export const handler = async () => import.meta.url.length > 0;\n")
        .with("common.cjs", "exports.handler = async () => 'common';\n")
        .with("lost.js", "require('nosuch');\n")
        .with("broken.js", "exports.handler = (;\n")
        .with("throws.js", "throw new Error('while loading');\n");
    let ours: Vec<Seen> = NODE_HANDLERS.iter().map(|handler| see(&folder, "nodejs20.x", handler, None)).collect();
    let link = folder.folder.path().join("node_modules");
    std::os::unix::fs::symlink(&packages, link).expect("a link");
    let runs = NODE_HANDLERS.iter().zip(ours);
    assert_equal(runs.map(|(handler, ours)| (*handler, ours, see(&folder, "nodejs20.x", handler, None))).collect());
    // It was the client of AWS that ran.
    assert!(folder.log().contains("Executing 'app.echo' in function directory"), "{}", folder.log());
}
