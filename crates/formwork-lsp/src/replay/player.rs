//! Replays the client of a recording.

use std::collections::BTreeMap;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use super::log::Entry;
use super::probe::Probe;
use super::published::{Key, items, key, last_published, numbered};
use crate::record::Root;
use crate::{Ending, Options, ServeError, serve, transport};

/// The time after which an answer counts as missing.
const PATIENCE: Duration = Duration::from_mins(1);
/// The time of silence after which no more messages of the server are expected.
const SILENCE: Duration = Duration::from_secs(5);

/// The messages of a server. URIs and paths have the placeholder of the root directory.
#[derive(Debug, Default)]
pub(crate) struct Played {
    /// Answers by the ID of their requests: objects with `result` or `error`.
    pub(crate) answers: BTreeMap<String, Value>,
    /// Milliseconds from requests to their answers.
    pub(crate) times: Vec<f64>,
    /// Published diagnostics by document and version, in their order.
    pub(crate) published: BTreeMap<Key, Vec<Value>>,
    pub(crate) notified: Vec<(String, Value)>,
    pub(crate) asked: Vec<(String, Value)>,
    pub(crate) panics: u64,
    pub(crate) rss_kb: u64,
    pub(crate) messages: usize,
    pub(crate) probe: Option<Probe>,
}

impl Played {
    pub(crate) fn last_of(&self, key: &Key) -> Option<&Value> {
        self.published.get(key)?.last()
    }
}

pub(crate) struct Player<'e> {
    entries: &'e [Entry],
    root: &'e Root,
    connection: Connection,
    server: JoinHandle<Result<Ending, ServeError>>,
    sent: BTreeMap<String, Instant>,
    /// Requests of the server without an answer: method and ID.
    open: Vec<(String, RequestId)>,
    /// Recorded IDs of results, with their current IDs.
    results: BTreeMap<String, Value>,
    played: Played,
}

/// The ID of the request for the status of the server.
const STATUS: &str = "formwork-replay-status";

impl<'e> Player<'e> {
    pub(crate) fn start(entries: &'e [Entry], root: &'e Root, options: Options, probes: bool) -> Player<'e> {
        let (server, connection) = Connection::memory();
        let server = std::thread::spawn(move || serve(server, &options));
        let played = Played { probe: probes.then(Probe::default), ..Played::default() };
        Player {
            entries,
            root,
            connection,
            server,
            sent: BTreeMap::new(),
            open: Vec::new(),
            results: BTreeMap::new(),
            played,
        }
    }

    /// Sends every message of the client in order. The server's messages before it in the recording are awaited: each
    /// answer and, before a notification, which changes the state, the diagnostics of the earlier state.
    pub(crate) fn play(&mut self) {
        let entries = self.entries;
        let mut is_shut_down = false;
        let numbered = numbered(entries);
        let mut expected: BTreeMap<Key, usize> = BTreeMap::new();
        for entry in entries {
            if let Some((key, earlier)) = numbered.get(&entry.line) {
                expected.insert(key.clone(), earlier + 1);
            }
            if !entry.is_client {
                continue;
            }
            if entry.is_notification() {
                self.wait_for_published(&std::mem::take(&mut expected));
            }
            if entry.is_response() {
                self.respond(entry);
                continue;
            }
            if entry.method() == Some("shutdown") {
                self.settle();
                self.ask_for_status();
                is_shut_down = true;
            }
            let mut message = entry.message.clone();
            self.root.show(&mut message);
            self.renew(&mut message);
            let Ok(sent) = transport::parse(&message.to_string()) else { continue };
            self.played.messages += 1;
            if let Some(id) = entry.id() {
                self.sent.insert(id.clone(), Instant::now());
                self.send(sent);
                self.wait_for_recorded(&id);
            } else {
                self.send(sent);
                self.probe(entry);
            }
        }
        if !is_shut_down {
            self.settle();
            self.ask_for_status();
            self.send(Message::Request(Request {
                id: RequestId::from("formwork-replay-shutdown".to_owned()),
                method: "shutdown".to_owned(),
                params: Value::Null,
            }));
        }
        self.send(Message::Notification(Notification { method: "exit".to_owned(), params: Value::Null }));
    }

    pub(crate) fn end(self) -> Played {
        let Player { connection, server, mut played, .. } = self;
        drop(connection);
        if !matches!(server.join(), Ok(Ok(_))) {
            played.panics += 1;
        }
        played
    }

    fn send(&self, message: Message) {
        let _ = self.connection.sender.send(message);
    }

    /// Replaces the parts of a message that may not be sent as recorded: the process of the client, IDs of earlier
    /// results.
    fn renew(&self, message: &mut Value) {
        if let Some(process) = message.pointer_mut("/params/processId") {
            *process = Value::Null;
        }
        let renew = |id: &mut Value| {
            if let Some(new) = id.as_str().and_then(|old| self.results.get(old)) {
                *id = new.clone();
            }
        };
        message.pointer_mut("/params/previousResultId").into_iter().for_each(renew);
        let many = message.pointer_mut("/params/previousResultIds").and_then(Value::as_array_mut);
        many.into_iter().flatten().filter_map(|one| one.get_mut("value")).for_each(renew);
    }

    /// Waits for an answer, unless the recorded one depends on the speed of client or server.
    fn wait_for_recorded(&mut self, id: &str) {
        let is_its = |entry: &&Entry| !entry.is_client && entry.is_response() && entry.id().as_deref() == Some(id);
        let Some(recorded) = self.entries.iter().find(is_its).filter(|entry| !entry.is_untimely()) else { return };
        self.wait(|player| player.played.answers.contains_key(id));
        if let Some(new) = self.played.answers.get(id) {
            pair(&recorded.message, new, &mut self.results);
        }
    }

    /// Waits until diagnostics were published as often as recorded, if the server sends them.
    fn wait_for_published(&mut self, expected: &BTreeMap<Key, usize>) {
        let is_there = |player: &Player<'e>| {
            let count = |key| player.played.published.get(key).map_or(0, Vec::len);
            expected.iter().all(|(key, expected)| count(key) >= *expected)
        };
        while !is_there(self) && self.receive(SILENCE) {}
    }

    /// Answers the same request of the server as the client did, when it arrives. Empty answers are sent once.
    fn respond(&mut self, entry: &Entry) {
        let Some(id) = entry.id() else { return };
        let is_asked = |asked: &&Entry| !asked.is_client && asked.is_request() && asked.id().as_deref() == Some(&id);
        let Some(method) = self.entries.iter().find(is_asked).and_then(Entry::method).filter(|method| waits(method))
        else {
            return;
        };
        self.wait(|player| player.open.iter().any(|(open, _)| open == method));
        let Some(at) = self.open.iter().position(|(open, _)| open == method) else { return };
        let (_, id) = self.open.remove(at);
        let mut message = entry.message.clone();
        self.root.show(&mut message);
        let result = message.get("result").cloned().unwrap_or_default();
        self.send(Message::Response(Response { id, response_result: Ok(result) }));
    }

    /// Waits until a condition holds, or the server is silent for too long. Returns `true` if it holds.
    fn wait(&mut self, holds: impl Fn(&Player<'e>) -> bool) -> bool {
        while !holds(self) {
            if !self.receive(PATIENCE) {
                return false;
            }
        }
        true
    }

    /// Waits for the last diagnostics of each document, if the server sends them.
    fn settle(&mut self) {
        let outstanding: Vec<String> =
            self.sent.keys().filter(|id| !self.played.answers.contains_key(*id)).cloned().collect();
        for id in outstanding {
            self.wait(|player| player.played.answers.contains_key(&id));
        }
        let expected = last_published(self.entries);
        let is_there =
            |player: &Player<'e>| expected.iter().all(|(key, (_, items))| player.played.last_of(key) == Some(items));
        while !is_there(self) && self.receive(SILENCE) {}
    }

    fn ask_for_status(&mut self) {
        let id = RequestId::from(STATUS.to_owned());
        let request = Request { id, method: "formwork/status".to_owned(), params: Value::Null };
        self.send(Message::Request(request));
        let key = format!("\"{STATUS}\"");
        self.wait(|player| player.played.answers.contains_key(&key));
        let status = self.played.answers.remove(&key).unwrap_or_default();
        let number = |name: &str| status.pointer(&format!("/result/{name}")).and_then(Value::as_u64).unwrap_or(0);
        self.played.panics += number("panics");
        self.played.rss_kb = number("rss_kb");
    }

    fn probe(&mut self, entry: &Entry) {
        let Some(mut probe) = self.played.probe.take() else { return };
        let encoding =
            self.played.answers.values().find_map(|answer| answer.pointer("/result/capabilities/positionEncoding"));
        let requests = probe.after(entry, encoding.and_then(Value::as_str).unwrap_or("utf-16"));
        for (number, (method, params)) in requests.into_iter().enumerate() {
            let name = format!("formwork-probe-{}-{number}", entry.line);
            let mut params = params;
            self.root.show(&mut params);
            let id = RequestId::from(name.clone());
            self.send(Message::Request(Request { id, method: method.to_owned(), params }));
            let key = json!(name).to_string();
            self.wait(|player| player.played.answers.contains_key(&key));
            let answer = self.played.answers.remove(&key).unwrap_or_default();
            probe.answered(entry.line, method, &answer);
        }
        self.played.probe = Some(probe);
    }

    /// Receives one message; `false` on a timeout.
    fn receive(&mut self, patience: Duration) -> bool {
        let Ok(message) = self.connection.receiver.recv_timeout(patience) else { return false };
        match message {
            Message::Response(Response { id, response_result }) => {
                let id = serde_json::to_value(id).unwrap_or_default().to_string();
                if let Some(sent) = self.sent.get(&id) {
                    self.played.times.push(sent.elapsed().as_secs_f64() * 1000.0);
                }
                let mut answer = match response_result {
                    Ok(result) => json!({"result": result}),
                    Err(error) => json!({"error": error}),
                };
                self.root.hide(&mut answer);
                self.played.answers.insert(id, answer);
            }
            Message::Request(Request { id, method, mut params }) => {
                self.root.hide(&mut params);
                self.played.asked.push((method.clone(), params));
                if waits(&method) {
                    self.open.push((method, id));
                } else {
                    self.send(Message::Response(Response { id, response_result: Ok(Value::Null) }));
                }
            }
            Message::Notification(Notification { method, mut params }) => {
                self.root.hide(&mut params);
                if method == "textDocument/publishDiagnostics" {
                    self.played.published.entry(key(&params)).or_default().push(items(&params));
                } else {
                    self.played.notified.push((method, params));
                }
            }
        }
        true
    }
}

fn pair(old: &Value, new: &Value, results: &mut BTreeMap<String, Value>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            if let (Some(Value::String(old)), Some(new)) = (old.get("resultId"), new.get("resultId")) {
                results.insert(old.clone(), new.clone());
            }
            old.iter()
                .filter_map(|(name, old)| Some((old, new.get(name)?)))
                .for_each(|(old, new)| pair(old, new, results));
        }
        (Value::Array(old), Value::Array(new)) => old.iter().zip(new).for_each(|(old, new)| pair(old, new, results)),
        _ => {}
    }
}

/// Returns `true` if the answer to a request of the server changes its state, and so must be sent in the recorded
/// order.
fn waits(method: &str) -> bool {
    matches!(method, "workspace/configuration" | "window/showMessageRequest")
}
