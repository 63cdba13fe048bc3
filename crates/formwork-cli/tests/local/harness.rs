//! Projects in directories of their own, servers, and requests to them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::processes::with_hangup;

pub(crate) const TEMPLATE: &str = "Transform: [AWS::LanguageExtensions, AWS::Serverless-2016-10-31]
Globals:
  Function: {Runtime: python3.11, CodeUri: src, Timeout: 2, Environment: {Variables: {TABLE: !Ref Table}}}
  HttpApi: {CorsConfiguration: {AllowOrigins: ['https://a.test'], AllowMethods: [GET]}}
Resources:
  Table: {Type: AWS::DynamoDB::Table}
  Fn::ForEach::Functions:
    - Name
    - [Users, Orders]
    - ${Name}Function:
        Type: AWS::Serverless::Function
        Properties:
          Handler: app.rest
          Events: {Get: {Type: Api, Properties: {Path: !Sub '/${Name}/{id}', Method: get}}}
  Web:
    Type: AWS::Serverless::Function
    Properties:
      Handler: app.http
      Events:
        Get: {Type: HttpApi, Properties: {Path: /web, Method: get}}
  Bad: {Type: AWS::Serverless::Function, Properties: {Handler: app.bad}}
";

pub(crate) const CODE: &str = "
import json, os
def rest(event, context):
    return {'statusCode': 200, 'body': json.dumps({'id': event['pathParameters']['id'], 'f': context.function_name})}
def http(event, context):
    print('logged')
    return {'n': (event.get('queryStringParameters') or {}).get('n'), 'table': os.environ.get('TABLE'), 'pid': os.getpid()}
def bad(event, context):
    raise ValueError('no')
";

pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("local").join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(path.join("src")).expect("a directory");
        let folder = Folder(path);
        folder.write("template.yaml", TEMPLATE);
        folder.write("src/app.py", CODE);
        folder
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.prepared(Command::new(env!("CARGO_BIN_EXE_formwork")), words)
    }

    /// The same, started so that it ends with its terminal.
    pub(crate) fn command_with_hangup(&self, words: &[&str]) -> Command {
        self.prepared(with_hangup(), words)
    }

    fn prepared(&self, mut command: Command, words: &[&str]) -> Command {
        command.args(words).current_dir(&self.0).stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().expect("the program")
    }
}

/// A server that is ended when the test is over.
pub(crate) struct Server {
    pub(crate) child: Child,
    lines: Receiver<String>,
}

impl Server {
    pub(crate) fn start(folder: &Folder, words: &[&str]) -> Server {
        Server::started(&mut folder.command(words))
    }

    /// The same with what starts it.
    pub(crate) fn started(command: &mut Command) -> Server {
        let mut child = command.stderr(Stdio::piped()).spawn().expect("the program");
        let stderr = BufReader::new(child.stderr.take().expect("a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || stderr.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        Server { child, lines }
    }

    /// The next line that holds a text.
    pub(crate) fn line(&self, text: &str) -> String {
        let until = Instant::now() + Duration::from_secs(30);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let line = self.lines.recv_timeout(left).unwrap_or_else(|_| panic!("no line with {text}"));
            if line.contains(text) {
                return line;
            }
        }
    }

    /// All lines up to the one that holds a text.
    pub(crate) fn until(&self, text: &str) -> String {
        let mut said = String::new();
        while !said.contains(text) {
            let line = self.lines.recv_timeout(Duration::from_secs(30));
            said += &line.unwrap_or_else(|_| panic!("no line with {text}: {said}"));
            said.push('\n');
        }
        said
    }

    pub(crate) fn port(&self, text: &str) -> u16 {
        let line = self.line(text);
        let address = line.split("http://127.0.0.1:").nth(1).expect("an address");
        address.split(' ').next().and_then(|port| port.parse().ok()).expect("a port")
    }

    pub(crate) fn end(mut self) {
        signal("TERM", self.child.id());
        assert!(self.child.wait().expect("the program").success());
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Status, head and body of an answer.
pub(crate) fn request(port: u16, text: &str) -> (u16, String, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("a connection");
    stream.write_all(text.as_bytes()).expect("a request");
    // A client that closes its half still gets its answer.
    stream.shutdown(std::net::Shutdown::Write).expect("half of a connection");
    let mut all = String::new();
    stream.read_to_string(&mut all).expect("an answer");
    let (head, body) = all.split_once("\r\n\r\n").expect("a head");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, head.to_lowercase(), body.to_owned())
}

pub(crate) fn get(port: u16, path: &str) -> (u16, Value) {
    let (status, _, body) =
        request(port, &format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
    (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Sends a signal to a process.
pub(crate) fn signal(name: &str, process: u32) {
    let status = Command::new("kill").args([&format!("-{name}"), &process.to_string()]).status();
    assert!(status.is_ok_and(|status| status.success()));
}

/// Calls Lambda: status, head and body of the answer.
pub(crate) fn invoke(port: u16, function: &str, headers: &str, body: &str) -> (u16, String, String) {
    let path = format!("/2015-03-31/functions/{function}/invocations");
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{headers}Content-Length: {}",
        body.len()
    );
    request(port, &format!("{head}\r\n\r\n{body}"))
}
