//! A client of a server in the same process.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use formwork_lsp::{Ending, Options, serve};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response, ResponseError};
use serde_json::{Value, json};

/// Long enough for a machine that does something else.
const PATIENCE: Duration = Duration::from_mins(1);

pub struct Client {
    connection: Connection,
    server: Option<JoinHandle<Result<Ending, formwork_lsp::ServeError>>>,
    next: i32,
    /// What was published, by address: version and diagnostics.
    pub published: BTreeMap<String, (Option<i64>, Vec<Value>)>,
    /// Requests of the server, in order: method and parameters.
    pub asked: Vec<(String, Value)>,
    pub notified: Vec<(String, Value)>,
    /// Answers of requests that nobody waited for yet.
    answers: BTreeMap<String, Result<Value, ResponseError>>,
    versions: BTreeMap<String, i32>,
    /// The answer to `workspace/configuration`.
    pub configuration: Value,
}

/// The address of a file.
pub fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// What editors announce.
pub fn capabilities(encoding: &str, pulls: bool) -> Value {
    let mut all = json!({
        "general": {"positionEncodings": [encoding]},
        "textDocument": {
            "publishDiagnostics": {
                "relatedInformation": true, "versionSupport": true, "codeDescriptionSupport": true,
                "dataSupport": true, "tagSupport": {"valueSet": [1, 2]}
            },
            "definition": {"linkSupport": true},
            "documentSymbol": {"hierarchicalDocumentSymbolSupport": true},
            "hover": {"contentFormat": ["markdown"]},
            "completion": {"completionItem": {"snippetSupport": true}},
            "codeAction": {
                "codeActionLiteralSupport": {}, "dataSupport": true, "resolveSupport": {"properties": ["edit"]}
            }
        },
        "workspace": {
            "workspaceEdit": {
                "documentChanges": true,
                "changeAnnotationSupport": {},
                "resourceOperations": ["create", "rename", "delete"]
            },
            "didChangeWatchedFiles": {"dynamicRegistration": true},
            "diagnostics": {"refreshSupport": true},
            "textDocumentContent": {}
        }
    });
    if pulls {
        all["textDocument"]["diagnostic"] = json!({"relatedDocumentSupport": true});
    }
    all
}

impl Client {
    pub fn start(options: Options) -> Client {
        let (server, connection) = Connection::memory();
        let server = std::thread::Builder::new().stack_size(16 << 20).spawn(move || serve(server, &options)).unwrap();
        Client {
            connection,
            server: Some(server),
            next: 0,
            published: BTreeMap::new(),
            asked: Vec::new(),
            notified: Vec::new(),
            answers: BTreeMap::new(),
            versions: BTreeMap::new(),
            configuration: json!([null]),
        }
    }

    /// A client of an initialized server with one workspace directory.
    pub fn in_folder(folder: &Path, encoding: &str, pulls: bool) -> Client {
        Client::with(folder, &capabilities(encoding, pulls), &Value::Null)
    }

    pub fn with(folder: &Path, capabilities: &Value, options: &Value) -> Client {
        let mut client = Client::start(Options::default());
        client.initialize(folder, capabilities, options);
        client
    }

    pub fn initialize(&mut self, folder: &Path, capabilities: &Value, options: &Value) -> Value {
        let params = json!({
            "processId": null,
            "capabilities": capabilities,
            "initializationOptions": options,
            "workspaceFolders": [{"uri": uri(folder), "name": "w"}]
        });
        let result = self.request("initialize", params).unwrap();
        self.notify("initialized", json!({}));
        result
    }

    pub fn notify(&self, method: &str, params: Value) {
        let message = Message::Notification(Notification::new(method.to_owned(), params));
        self.connection.sender.send(message).unwrap();
    }

    /// Sends a request and returns its id.
    pub fn send(&mut self, method: &str, params: Value) -> i32 {
        self.next += 1;
        let request = Request::new(RequestId::from(self.next), method.to_owned(), params);
        self.connection.sender.send(Message::Request(request)).unwrap();
        self.next
    }

    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, ResponseError> {
        let id = self.send(method, params);
        self.answer(id)
    }

    pub fn answer(&mut self, id: i32) -> Result<Value, ResponseError> {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = self.answers.remove(&id.to_string()) {
                return answer;
            }
            assert!(self.receive(until), "no answer to request {id}");
        }
    }

    /// Takes one message; false when none comes in time.
    fn receive(&mut self, until: Instant) -> bool {
        let Ok(message) = self.connection.receiver.recv_deadline(until) else { return false };
        match message {
            Message::Response(Response { id, response_result }) => {
                self.answers.insert(id.to_string().trim_matches('"').to_owned(), response_result);
            }
            Message::Request(request) => {
                let is_about_settings = request.method == "workspace/configuration";
                let result = if is_about_settings { self.configuration.clone() } else { Value::Null };
                self.asked.push((request.method, request.params));
                let response = Message::Response(Response::new_ok(request.id, result));
                let _ = self.connection.sender.send(response);
            }
            Message::Notification(notification) => {
                let params = notification.params;
                if notification.method == "textDocument/publishDiagnostics" {
                    let uri = params["uri"].as_str().unwrap().to_owned();
                    let items = params["diagnostics"].as_array().unwrap().clone();
                    self.published.insert(uri, (params["version"].as_i64(), items));
                } else {
                    self.notified.push((notification.method, params));
                }
            }
        }
        true
    }

    /// Waits until a condition holds.
    pub fn wait_for(&mut self, what: &str, mut holds: impl FnMut(&Client) -> bool) {
        let until = Instant::now() + PATIENCE;
        while !holds(self) {
            assert!(self.receive(until), "waited for {what}");
        }
    }

    /// Takes what the server sends in a while.
    pub fn drain(&mut self, while_: Duration) {
        let until = Instant::now() + while_;
        while self.receive(until) {}
    }

    pub fn open(&mut self, path: &Path, text: &str) {
        let language = if text.trim_start().starts_with('{') { "json" } else { "yaml" };
        let document = json!({"uri": uri(path), "languageId": language, "version": 1, "text": text});
        self.versions.insert(uri(path), 1);
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn change(&mut self, path: &Path, changes: Value) {
        let version = self.versions.entry(uri(path)).or_default();
        *version += 1;
        let document = json!({"uri": uri(path), "version": version});
        self.notify("textDocument/didChange", json!({"textDocument": document, "contentChanges": changes}));
    }

    pub fn replace(&mut self, path: &Path, text: &str) {
        self.change(path, json!([{"text": text}]));
    }

    /// The diagnostics that are published of the text as it is.
    pub fn diagnostics(&mut self, path: &Path) -> Vec<Value> {
        let (uri, version) = (uri(path), self.versions[&uri(path)]);
        self.wait_for("diagnostics", |client| {
            client.published.get(&uri).is_some_and(|(of, _)| *of == Some(i64::from(version)))
        });
        self.published[&uri].1.clone()
    }

    /// The diagnostics that are shown of the last version of a document.
    pub fn shown(&self, path: &Path) -> Option<&[Value]> {
        let (uri, version) = (uri(path), self.versions[&uri(path)]);
        self.published.get(&uri).filter(|(of, _)| *of == Some(i64::from(version))).map(|(_, items)| items.as_slice())
    }

    pub fn shut_down(mut self) -> Ending {
        self.request("shutdown", Value::Null).unwrap();
        self.notify("exit", Value::Null);
        self.end()
    }

    pub fn end(&mut self) -> Ending {
        self.server.take().unwrap().join().unwrap().unwrap()
    }
}

/// A directory with files.
pub struct Folder {
    _directory: tempfile::TempDir,
    pub path: PathBuf,
}

impl Folder {
    pub fn new(files: &[(&str, &str)]) -> Folder {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().canonicalize().unwrap().join("w");
        std::fs::create_dir(&path).unwrap();
        let folder = Folder { _directory: directory, path };
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }

    pub fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}
