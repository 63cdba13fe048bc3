//! The handlers that are measured: each behind Lambda's way and behind a pipe.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// A handler in one language.
pub(super) struct Runtime {
    /// The logical ID of its function.
    pub(super) name: &'static str,
    /// The command line of its pipe, below the directory of the project; none for this program.
    pub(super) pipe: &'static [&'static str],
}

pub(super) const RUNTIMES: [Runtime; 3] = [
    Runtime { name: "Python", pipe: &["python3", "-u", "python/pipe.py"] },
    Runtime { name: "Node", pipe: &["node", "node/pipe.js"] },
    Runtime { name: "Bootstrap", pipe: &[] },
];

const TEMPLATE: &str = "Transform: AWS::Serverless-2016-10-31
Globals: {Function: {MemorySize: 512, Timeout: 30}}
Resources:
  Python:
    Type: AWS::Serverless::Function
    Properties:
      {Runtime: python3.11, CodeUri: python, Handler: app.handler, Events: {A: {Type: HttpApi, Properties: {Path: /Python, Method: post}}}}
  Node:
    Type: AWS::Serverless::Function
    Properties:
      {Runtime: nodejs20.x, CodeUri: node, Handler: app.handler, Events: {A: {Type: HttpApi, Properties: {Path: /Node, Method: post}}}}
  Bootstrap:
    Type: AWS::Serverless::Function
    Properties:
      {Runtime: provided.al2023, CodeUri: own, Handler: x, Events: {A: {Type: HttpApi, Properties: {Path: /Bootstrap, Method: post}}}}
";

const PYTHON: &str = "import json
def handler(event, context):
    event = json.loads(event['body']) if 'body' in event else event
    x = 1
    for _ in range(event['n']):
        x = (x * 31 + 7) % 1000003
    return {'x': x}
";

const PYTHON_PIPE: &str = "import json, sys
import app
for line in sys.stdin:
    sys.stdout.write(json.dumps(app.handler(json.loads(line), None)) + '\\n')
    sys.stdout.flush()
";

const NODE: &str = "exports.handler = async (event) => {
  const { n } = 'body' in event ? JSON.parse(event.body) : event;
  let x = 1;
  for (let at = 0; at < n; at += 1) x = (x * 31 + 7) % 1000003;
  return { x };
};
";

const NODE_PIPE: &str = "const { handler } = require('./app.js');
let rest = '';
process.stdin.on('data', async (part) => {
  rest += part;
  const end = rest.indexOf('\\n');
  if (end < 0) return;
  const line = rest.slice(0, end);
  rest = rest.slice(end + 1);
  process.stdout.write(`${JSON.stringify(await handler(JSON.parse(line)))}\\n`);
});
";

/// Writes the project.
pub(super) fn write(folder: &Path) -> std::io::Result<()> {
    let own = std::env::current_exe()?;
    let bootstrap = format!("#!/bin/sh\nexec '{}' bench-local --handler bootstrap\n", own.display());
    let files = [
        ("template.yaml", TEMPLATE),
        ("python/app.py", PYTHON),
        ("python/pipe.py", PYTHON_PIPE),
        ("node/app.js", NODE),
        ("node/pipe.js", NODE_PIPE),
        ("own/bootstrap", &bootstrap),
    ];
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(&path, text)?;
    }
    fs::set_permissions(folder.join("own/bootstrap"), fs::Permissions::from_mode(0o755))
}

fn handler(event: &[u8]) -> Result<String, String> {
    let parse = |bytes: &[u8]| serde_json::from_slice(bytes).map_err(|error| error.to_string());
    let mut event: serde_json::Value = parse(event)?;
    if let Some(body) = event.get("body").and_then(serde_json::Value::as_str) {
        event = parse(body.as_bytes())?;
    }
    let steps = event.get("n").and_then(serde_json::Value::as_u64).unwrap_or_default();
    let mut x = 1_u64;
    for _ in 0..steps {
        x = std::hint::black_box((x * 31 + 7) % 1_000_003);
    }
    Ok(format!("{{\"x\": {x}}}"))
}

/// The handler behind a pipe.
pub(super) fn piped() -> Result<(), String> {
    let (mut line, mut input, mut output) = (String::new(), std::io::stdin().lock(), std::io::stdout().lock());
    let lost = |error: std::io::Error| error.to_string();
    while input.read_line(&mut line).map_err(lost)? > 0 {
        let result = handler(line.as_bytes())?;
        writeln!(output, "{result}").and_then(|()| output.flush()).map_err(lost)?;
        line.clear();
    }
    Ok(())
}

/// The handler behind the Runtime API, over one connection.
pub(super) fn bootstrap() -> Result<(), String> {
    let lost = |error: std::io::Error| error.to_string();
    let address = std::env::var("AWS_LAMBDA_RUNTIME_API").map_err(|error| error.to_string())?;
    let stream = TcpStream::connect(&address).map_err(lost)?;
    stream.set_nodelay(true).map_err(lost)?;
    let mut answers = BufReader::new(stream.try_clone().map_err(lost)?);
    let mut call = |text: String| -> Result<(String, Vec<u8>), String> {
        (&stream).write_all(text.as_bytes()).map_err(lost)?;
        answer(&mut answers)
    };
    loop {
        let (id, event) = call(format!("GET /2018-06-01/runtime/invocation/next HTTP/1.1\r\nHost: {address}\r\n\r\n"))?;
        let result = handler(&event)?;
        let head = format!("POST /2018-06-01/runtime/invocation/{id}/response HTTP/1.1\r\nHost: {address}");
        call(format!("{head}\r\nContent-Length: {}\r\n\r\n{result}", result.len()))?;
    }
}

/// Reads the answer to a request: the ID of an event, when it is one, and the body.
pub(super) fn answer(stream: &mut impl BufRead) -> Result<(String, Vec<u8>), String> {
    let lost = |error: std::io::Error| error.to_string();
    let (mut id, mut length) = (String::new(), 0);
    let mut is_first = true;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).map_err(lost)? == 0 {
            return Err("the connection was closed".to_owned());
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        if std::mem::take(&mut is_first) && !line.starts_with("HTTP/1.1 20") {
            return Err(line.to_owned());
        }
        let Some((name, value)) = line.split_once(':') else { continue };
        match name.to_ascii_lowercase().as_str() {
            "lambda-runtime-aws-request-id" => value.trim().clone_into(&mut id),
            "content-length" => length = value.trim().parse().map_err(|_| line.to_owned())?,
            _ => {}
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).map_err(lost)?;
    Ok((id, body))
}
