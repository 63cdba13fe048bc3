//! A client of `formwork lsp`, over its standard streams.

use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use lsp_server::{Message, Notification, Request, Response};
use serde_json::{Value, json};

use crate::support::folder::Folder;

/// Long enough for a machine that does something else.
const PATIENCE: Duration = Duration::from_mins(1);

/// How the server is started, and what the client can.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) is_trusted: bool,
    pub(super) pulls: bool,
}

pub(super) struct Client {
    child: Child,
    input: BufWriter<ChildStdin>,
    output: Receiver<Message>,
    kind: Kind,
    next: i32,
}

pub(super) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

impl Client {
    /// Starts the server for a directory.
    pub(super) fn start(folder: &Folder, kind: Kind) -> Client {
        let words: &[&str] = if kind.is_trusted { &["lsp", "--trust"] } else { &["lsp"] };
        let mut command = folder.formwork(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the server starts");
        let input = BufWriter::new(child.stdin.take().expect("a pipe"));
        let output = messages(child.stdout.take().expect("a pipe"));
        let mut client = Client { child, input, output, kind, next: 0 };
        let mut capabilities = json!({
            "general": {"positionEncodings": ["utf-8"]},
            "textDocument": {"publishDiagnostics": {"relatedInformation": true, "versionSupport": true}},
            "workspace": {"diagnostics": {"refreshSupport": true}, "didChangeWatchedFiles": {"dynamicRegistration": true}}
        });
        if kind.pulls {
            capabilities["textDocument"]["diagnostic"] = json!({});
        }
        let folders = json!([{"uri": uri(&folder.path("")), "name": "w"}]);
        client.request("initialize", json!({"capabilities": capabilities, "workspaceFolders": folders}));
        client.notify("initialized", json!({}));
        client
    }

    fn send(&mut self, message: &Message) {
        message.write(&mut self.input).expect("the server reads");
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(&Message::Notification(Notification::new(method.to_owned(), params)));
    }

    /// Waits for the first message that `wanted` takes; requests of the server are answered with nothing.
    fn wait<T>(&mut self, mut wanted: impl FnMut(Message) -> Option<T>) -> T {
        loop {
            let message = self.output.recv_timeout(PATIENCE).expect("a message of the server");
            if let Message::Request(Request { id, .. }) = &message {
                self.send(&Message::Response(Response::new_ok(id.clone(), Value::Null)));
            } else if let Some(found) = wanted(message) {
                return found;
            }
        }
    }

    pub(super) fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = lsp_server::RequestId::from(self.next);
        self.send(&Message::Request(Request::new(id.clone(), method.to_owned(), params)));
        self.wait(|message| match message {
            Message::Response(response) if response.id == id => Some(response.response_result.expect("an answer")),
            _ => None,
        })
    }

    /// The diagnostics of a document at a version, pushed or pulled.
    pub(super) fn diagnostics(&mut self, path: &Path, version: i64) -> Vec<Value> {
        let uri = uri(path);
        let items = if self.kind.pulls {
            self.request("textDocument/diagnostic", json!({"textDocument": {"uri": uri}}))["items"].take()
        } else {
            self.wait(|message| match message {
                Message::Notification(Notification { method, mut params })
                    if method == "textDocument/publishDiagnostics"
                        && params["uri"] == uri.as_str()
                        && params["version"] == version =>
                {
                    Some(params["diagnostics"].take())
                }
                _ => None,
            })
        };
        items.as_array().expect("diagnostics").clone()
    }

    /// A line of the server's `/proc/ID/status`.
    #[cfg(target_os = "linux")]
    pub(super) fn megabytes(&self, key: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("a status");
        let line = status.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'));
        let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<u64>().ok());
        kilobytes.expect("a number") / 1024
    }

    pub(super) fn shut_down(mut self) {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        assert!(self.child.wait().expect("a status").success());
    }
}

/// What the server sends, as it comes.
fn messages(stream: ChildStdout) -> Receiver<Message> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        while let Ok(Some(message)) = Message::read(&mut stream) {
            if sender.send(message).is_err() {
                break;
            }
        }
    });
    receiver
}
