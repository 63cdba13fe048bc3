//! The loop that reads messages and owns the state.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use crossbeam_channel::{Receiver, Sender, select, unbounded};
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};

use crate::client::Client;
use crate::document::Document;
use crate::log::Log;
use crate::pool::Pool;
use crate::response::{
    Answer, CONTENT_MODIFIED, Failure, INTERNAL_ERROR, INVALID_REQUEST, NOT_INITIALIZED, REQUEST_CANCELLED,
    SERVER_CANCELLED,
};
use crate::roots::Roots;
use crate::scan::Scanned;
use crate::settings::Run;
use crate::view::View;
use crate::what_if::WhatIf;
use crate::world::World;
use crate::{Options, capabilities, configuration, diagnostics, handlers, params, parent_process, uri};

/// How the server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    /// Whether the client asked for a shutdown before.
    pub is_shut_down: bool,
    /// Whether the client ended it, by `exit` or the end of its messages; else its process is gone.
    pub by_client: bool,
}

/// What threads report to the loop.
enum Event {
    /// The answer of a request.
    Answered(RequestId, Answer),
    /// The diagnostics of open documents at a revision.
    Diagnosed(u64, Vec<(PathBuf, i32, Vec<Value>)>),
    /// The process of the client is gone.
    Orphaned,
}

/// A request that is being answered.
struct Pending {
    method: String,
    document: Option<PathBuf>,
}

/// The state of the server.
pub(crate) struct Server {
    sender: Sender<Message>,
    events: Sender<Event>,
    pool: Pool,
    /// Compiles for diagnostics.
    compiler: Pool,
    log: Log,
    is_initialized: bool,
    is_shut_down: bool,
    is_trusted: bool,
    view: View,
    pending: HashMap<RequestId, Pending>,
    next_request: i32,
    /// What requests of the server are about, by their ids.
    asked: HashMap<RequestId, Asked>,
    /// Whether diagnostics of an older state are being computed.
    is_compiling: bool,
    /// The revision whose diagnostics were computed last.
    diagnosed: u64,
    /// What was published of a document, with its version.
    published: BTreeMap<PathBuf, (i32, Vec<Value>)>,
    /// Documents that changed since the last diagnostics.
    edited: BTreeSet<PathBuf>,
    /// Times of the files that open documents depend on, where the client watches none.
    times: BTreeMap<PathBuf, Option<(SystemTime, u64)>>,
    watches: bool,
    pub(crate) counts: Counts,
    /// Views that are open, with the text that they had.
    views: BTreeMap<String, String>,
}

/// A request of the server.
enum Asked {
    Configuration,
    /// A choice among sets of values for a template: label and id of each.
    Values(String, Vec<(String, String)>),
    Other,
}

/// What the server counts.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) requests: u64,
    pub(crate) panics: u64,
}

/// Serves a client until it ends the connection.
///
/// # Errors
/// When the log cannot be created.
pub fn serve(connection: Connection, options: &Options) -> Result<Ending, String> {
    let log = Log::create(options.log.as_deref()).map_err(|error| format!("the log cannot be created: {error}"))?;
    let (events, received) = unbounded();
    let Connection { sender, receiver } = connection;
    let mut server = Server::new(sender, events, log, options);
    Ok(server.run(&receiver, &received))
}

impl Server {
    fn new(sender: Sender<Message>, events: Sender<Event>, log: Log, options: &Options) -> Server {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
        Server {
            sender,
            events,
            pool: Pool::new(threads),
            compiler: Pool::new(1),
            log,
            is_initialized: false,
            is_shut_down: false,
            is_trusted: options.is_trusted,
            view: View {
                revision: 1,
                client: Arc::new(Client::new(&Value::Null)),
                settings: Arc::default(),
                roots: Arc::default(),
                values: Arc::default(),
                documents: Arc::default(),
                scanned: Arc::default(),
                world: Arc::new(World::default()),
                slots: Arc::default(),
            },
            pending: HashMap::new(),
            next_request: 0,
            asked: HashMap::new(),
            is_compiling: false,
            diagnosed: 1,
            published: BTreeMap::new(),
            edited: BTreeSet::new(),
            times: BTreeMap::new(),
            watches: false,
            counts: Counts::default(),
            views: BTreeMap::new(),
        }
    }

    fn run(&mut self, receiver: &Receiver<Message>, events: &Receiver<Event>) -> Ending {
        loop {
            select! {
                recv(receiver) -> message => match message {
                    Ok(Message::Notification(notification)) if notification.method == "exit" => {
                        return Ending { is_shut_down: self.is_shut_down, by_client: true };
                    }
                    Ok(message) => self.take(message),
                    Err(_) => return Ending { is_shut_down: self.is_shut_down, by_client: true },
                },
                recv(events) -> event => match event {
                    Ok(Event::Orphaned) | Err(_) => return Ending { is_shut_down: self.is_shut_down, by_client: false },
                    Ok(event) => self.happened(event),
                },
                default(Duration::from_secs(2)) => self.look_at_files(),
            }
            // A burst of messages is answered once.
            if receiver.is_empty() {
                self.diagnose();
            }
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => self.notification(notification),
            Message::Response(response) => self.response(response),
        }
    }

    fn happened(&mut self, event: Event) {
        match event {
            Event::Answered(id, answer) => self.answered(&id, answer),
            Event::Diagnosed(revision, found) => self.publish(revision, found),
            Event::Orphaned => {}
        }
    }

    // -- Requests ----------------------------------------------------------

    fn request(&mut self, request: Request) {
        let Request { id, method, params } = request;
        self.counts.requests += 1;
        if self.is_shut_down {
            return self.fail(&id, Failure::new(INVALID_REQUEST, "the server was shut down"));
        }
        match (method.as_str(), self.is_initialized) {
            ("initialize", false) => {
                let result = self.initialize(&params);
                return self.respond(Response::new_ok(id, result));
            }
            ("initialize", true) => return self.fail(&id, Failure::new(INVALID_REQUEST, "it is initialized already")),
            (_, false) => return self.fail(&id, Failure::new(NOT_INITIALIZED, "the server is not initialized")),
            ("shutdown", true) => {
                self.is_shut_down = true;
                return self.respond(Response::new_ok(id, Value::Null));
            }
            _ => {}
        }
        if let Some(answer) = self.own_request(&method, &params) {
            return match answer {
                Ok(value) => self.respond(Response::new_ok(id, value)),
                Err(failure) => self.fail(&id, failure),
            };
        }
        let Some(handler) = handlers::find(&method) else {
            let failure = Failure::new(crate::response::METHOD_NOT_FOUND, format!("unknown method {method}"));
            return self.fail(&id, failure);
        };
        let document = params::document_of(&params).map(uri::to_path);
        self.pending.insert(id.clone(), Pending { method: method.clone(), document });
        let (view, events, log) = (self.view.clone(), self.events.clone(), self.log.clone());
        self.pool.run(move || {
            let answer = std::panic::catch_unwind(AssertUnwindSafe(|| handler(&view, params)));
            let answer = answer.unwrap_or_else(|_| {
                log.line(&format!("a handler of {method} panicked"));
                Err(Failure::new(INTERNAL_ERROR, "internal error: see the log"))
            });
            let _ = events.send(Event::Answered(id, answer));
        });
    }

    /// Requests that change the state, or are about it.
    fn own_request(&mut self, method: &str, params: &Value) -> Option<Answer> {
        match method {
            "formwork/setValues" => Some(self.set_values(params)),
            "formwork/status" => {
                let (parses, compiles) = self.view.world.counts();
                let Counts { requests, panics } = self.counts;
                let rss_kb = memory();
                Some(Ok(json!({
                    "parses": parses, "compiles": compiles, "panics": panics, "requests": requests, "rss_kb": rss_kb
                })))
            }
            "workspace/executeCommand" => {
                let is = |name: &str| params.get("command").and_then(Value::as_str) == Some(name);
                let argument = |at: usize| params.pointer(&format!("/arguments/{at}")).cloned().unwrap_or(Value::Null);
                if is("formwork.setValues") {
                    return Some(self.set_values(&json!({"uri": argument(0), "id": argument(1)})));
                }
                if is("formwork.selectValues") {
                    return Some(self.select_values(&argument(0)));
                }
                if is("formwork.showExpansion") {
                    let shown = handlers::commands::view_of(&self.view, params);
                    return Some(shown.map(|uri| self.show(&uri)));
                }
                None
            }
            "workspace/textDocumentContent" | "formwork/expanded" => {
                let uri = params.get("uri").and_then(Value::as_str)?;
                self.views.entry(uri.to_owned()).or_default();
                None
            }
            _ => None,
        }
    }

    /// Shows a view, where the client can and does not do it by itself.
    fn show(&mut self, uri: &str) -> Value {
        let client = &self.view.client;
        if client.can("/window/showDocument/support") && !client.can("/experimental/formworkShowsExpansion") {
            self.ask("window/showDocument", json!({"uri": uri, "takeFocus": false}));
        }
        json!({"uri": uri})
    }

    /// Asks for one of the sets of values of a template.
    fn select_values(&mut self, uri: &Value) -> Answer {
        let uri = uri.as_str().ok_or_else(|| Failure::params("no document"))?;
        let sets = handlers::values::sets(&self.view, &uri::to_path(uri));
        let actions: Vec<Value> = sets.iter().map(|set| json!({"title": set.label})).collect();
        let params = json!({"type": 3, "message": "Values for this template", "actions": actions});
        let choices = sets.into_iter().map(|set| (set.label, set.id)).collect();
        self.ask_for("window/showMessageRequest", params, Asked::Values(uri.to_owned(), choices));
        Ok(Value::Null)
    }

    fn answered(&mut self, id: &RequestId, answer: Answer) {
        // What was cancelled, or is about a text that changed, has its answer.
        if self.pending.remove(id).is_none() {
            return;
        }
        match answer {
            Ok(value) => self.respond(Response::new_ok(id.clone(), value)),
            Err(failure) => {
                if failure.code == INTERNAL_ERROR {
                    self.counts.panics += 1;
                }
                self.fail(id, failure);
            }
        }
    }

    fn respond(&self, response: Response) {
        let _ = self.sender.send(Message::Response(response));
    }

    fn fail(&self, id: &RequestId, failure: Failure) {
        let mut response = Response::new_err(id.clone(), failure.code, failure.message);
        if let Err(error) = &mut response.response_result {
            error.data = failure.data;
        }
        self.respond(response);
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) {
        self.ask_for(method, params, Asked::Other);
    }

    fn ask_for(&mut self, method: &str, params: Value, about: Asked) {
        self.next_request += 1;
        let id = RequestId::from(format!("formwork-{}", self.next_request));
        self.asked.insert(id.clone(), about);
        let _ = self.sender.send(Message::Request(Request::new(id, method.to_owned(), params)));
    }

    fn notify(&self, method: &str, params: Value) {
        let _ = self.sender.send(Message::Notification(Notification::new(method.to_owned(), params)));
    }

    fn response(&mut self, response: Response) {
        let about = self.asked.remove(&response.id);
        match (about, response.response_result) {
            (Some(Asked::Configuration), Ok(Value::Array(sections))) => self.configure(sections.iter()),
            (Some(Asked::Values(uri, choices)), Ok(chosen)) => {
                let title = chosen.get("title").and_then(Value::as_str).unwrap_or_default();
                if let Some((_, id)) = choices.iter().find(|(label, _)| label == title) {
                    // The set was there when it was offered.
                    let _ = self.set_values(&json!({"uri": uri, "id": id}));
                }
            }
            _ => {}
        }
    }

    // -- Life --------------------------------------------------------------

    fn initialize(&mut self, params: &Value) -> Value {
        let client = Client::new(params.get("capabilities").unwrap_or(&Value::Null));
        let folders = params.get("workspaceFolders").and_then(Value::as_array);
        let mut folders: Vec<PathBuf> = folders.into_iter().flatten().filter_map(folder_of).collect();
        if folders.is_empty() {
            folders.extend(params.get("rootUri").and_then(Value::as_str).map(uri::to_path));
        }
        let options = params.get("initializationOptions").unwrap_or(&Value::Null);
        self.is_trusted |= options.get("trusted").and_then(Value::as_bool).unwrap_or(false);
        let process = params.get("processId").and_then(Value::as_u64).and_then(|id| u32::try_from(id).ok());
        if let Some(process) = process {
            let events = self.events.clone();
            parent_process::watch(process, move || {
                let _ = events.send(Event::Orphaned);
            });
        }
        let capabilities = capabilities::capabilities(&client);
        self.view.client = Arc::new(client);
        self.is_initialized = true;
        self.view.roots = Arc::new(Roots { folders, is_trusted: self.is_trusted, project_root: None });
        if options.is_object() {
            self.configure([options].into_iter());
        }
        json!({
            "capabilities": capabilities,
            "serverInfo": {"name": "formwork", "version": env!("CARGO_PKG_VERSION")}
        })
    }

    fn initialized(&mut self) {
        let client = Arc::clone(&self.view.client);
        if client.can("/workspace/didChangeWatchedFiles/dynamicRegistration") {
            self.watches = true;
            let watchers = json!([{"globPattern": "**/*"}]);
            let registration = json!({
                "id": "formwork-files",
                "method": "workspace/didChangeWatchedFiles",
                "registerOptions": {"watchers": watchers}
            });
            self.ask("client/registerCapability", json!({"registrations": [registration]}));
        }
        self.ask_for_configuration();
        self.scan();
    }

    fn ask_for_configuration(&mut self) {
        if self.view.client.can("/workspace/configuration") {
            let params = json!({"items": [{"section": "formwork"}]});
            self.ask_for("workspace/configuration", params, Asked::Configuration);
        }
    }

    fn scan(&mut self) {
        let scanned = Arc::new(Scanned::new(Arc::clone(&self.view.roots)));
        self.view.scanned = Arc::clone(&scanned);
        self.pool.run(move || scanned.look());
    }

    fn configure<'v>(&mut self, sections: impl Iterator<Item = &'v Value>) {
        let mut settings = (*self.view.settings).clone();
        let wrong: Vec<String> = sections.flat_map(|section| settings.merge(section)).collect();
        for why in wrong {
            self.notify("window/logMessage", json!({"type": 2, "message": why}));
        }
        if settings == *self.view.settings {
            return;
        }
        let mut roots = (*self.view.roots).clone();
        roots.project_root = settings.project_root.as_ref().map(PathBuf::from);
        self.view.settings = Arc::new(settings);
        self.set_roots(roots);
        self.refresh_all();
    }

    fn set_roots(&mut self, roots: Roots) {
        if *self.view.roots == roots {
            self.view.world.forget_options();
        } else {
            self.view.roots = Arc::new(roots);
            self.view.world.forget();
        }
        self.next();
    }

    // -- Notifications -----------------------------------------------------

    fn notification(&mut self, notification: Notification) {
        let Notification { method, params } = notification;
        if !self.is_initialized || self.is_shut_down {
            return;
        }
        match method.as_str() {
            "initialized" => self.initialized(),
            "textDocument/didOpen" => self.opened(&params),
            "textDocument/didChange" => self.changed(params),
            "textDocument/didClose" => self.closed(&params),
            "textDocument/didSave" => self.saved(),
            "workspace/didChangeWatchedFiles" => self.files_changed(&params),
            "workspace/didChangeWorkspaceFolders" => self.folders_changed(&params),
            "workspace/didChangeConfiguration" => match params.get("settings") {
                Some(settings) if settings.is_object() && settings.get("formwork").is_some() => {
                    self.configure([settings].into_iter());
                }
                _ => self.ask_for_configuration(),
            },
            "formwork/trust" => {
                let is_trusted = params.get("trusted").and_then(Value::as_bool).unwrap_or(false);
                let roots = Roots { is_trusted, ..(*self.view.roots).clone() };
                self.set_roots(roots);
                self.refresh_all();
            }
            "$/cancelRequest" => self.cancel(&params),
            _ => {}
        }
    }

    fn cancel(&mut self, params: &Value) {
        let id = match params.get("id") {
            Some(Value::String(text)) => RequestId::from(text.clone()),
            Some(Value::Number(number)) => match number.as_i64().and_then(|number| i32::try_from(number).ok()) {
                Some(number) => RequestId::from(number),
                None => return,
            },
            _ => return,
        };
        if self.pending.remove(&id).is_some() {
            self.fail(&id, Failure::new(REQUEST_CANCELLED, "the request was cancelled"));
        }
    }

    fn opened(&mut self, params: &Value) {
        let text =
            |key: &str| params.pointer(&format!("/textDocument/{key}")).and_then(Value::as_str).unwrap_or_default();
        let uri = text("uri").to_owned();
        if uri::decode(&uri).starts_with(uri::EXPANDED) {
            self.views.insert(uri, text("text").to_owned());
            return;
        }
        let version = params.pointer("/textDocument/version").and_then(Value::as_i64).unwrap_or(0) as i32;
        let path = uri::to_path(&uri);
        let document = Document::new(uri, version, text("languageId").to_owned(), text("text").to_owned(), &path);
        self.set(path, document);
    }

    fn changed(&mut self, params: Value) {
        #[derive(serde::Deserialize)]
        struct Versioned {
            uri: String,
            version: Option<i32>,
        }
        #[derive(serde::Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Changes {
            text_document: Versioned,
            content_changes: Vec<crate::document::Change>,
        }
        let Ok(changes) = params::read::<Changes>(params) else { return };
        let path = uri::to_path(&changes.text_document.uri);
        let Some(document) = self.view.document(&path) else { return };
        let version = changes.text_document.version.unwrap_or(document.version);
        let next = document.after(version, changes.content_changes, self.view.unit(), &path);
        self.set(path, next);
    }

    /// A document has this text from now on.
    fn set(&mut self, path: PathBuf, document: Document) {
        self.outdate(&path);
        let text = document.text.clone();
        let mut documents = (*self.view.documents).clone();
        documents.insert(path.clone(), Arc::new(document));
        self.view.documents = Arc::new(documents);
        self.edited.insert(path.clone());
        self.apply(&[(path, Some(text))]);
    }

    fn closed(&mut self, params: &Value) {
        let Some(uri) = params::document_of(params) else { return };
        if self.views.remove(uri).is_some() {
            return;
        }
        let path = uri::to_path(uri);
        self.outdate(&path);
        let mut documents = (*self.view.documents).clone();
        if documents.remove(&path).is_none() {
            return;
        }
        self.view.documents = Arc::new(documents);
        if let Some((_, items)) = self.published.remove(&path)
            && !items.is_empty()
        {
            self.notify("textDocument/publishDiagnostics", json!({"uri": uri, "diagnostics": []}));
        }
        self.apply(&[(path, None)]);
    }

    fn saved(&mut self) {
        if self.view.settings.run == Run::OnSave {
            self.diagnosed = 0;
        }
    }

    fn files_changed(&mut self, params: &Value) {
        let changes = params.get("changes").and_then(Value::as_array);
        let uris = changes.into_iter().flatten().filter_map(|change| change.get("uri").and_then(Value::as_str));
        let paths: Vec<PathBuf> = uris.map(uri::to_path).collect();
        self.reload(paths);
    }

    /// Files of the disk changed.
    fn reload(&mut self, paths: Vec<PathBuf>) {
        let is_created = paths.iter().any(|path| !self.view.scanned.knows(path));
        let closed: Vec<(PathBuf, Option<String>)> =
            paths.into_iter().filter(|path| self.view.document(path).is_none()).map(|path| (path, None)).collect();
        if closed.is_empty() {
            return;
        }
        self.apply(&closed);
        if is_created {
            self.scan();
        }
    }

    fn folders_changed(&mut self, params: &Value) {
        let of = |key: &str| -> Vec<PathBuf> {
            let folders = params.pointer(&format!("/event/{key}")).and_then(Value::as_array);
            folders.into_iter().flatten().filter_map(folder_of).collect()
        };
        let (added, removed) = (of("added"), of("removed"));
        let mut roots = (*self.view.roots).clone();
        roots.folders.retain(|folder| !removed.contains(folder));
        roots.folders.extend(added);
        self.set_roots(roots);
        self.scan();
    }

    // -- State -------------------------------------------------------------

    /// Sessions see changes of files, and the next state begins.
    fn apply(&mut self, changes: &[(PathBuf, Option<String>)]) {
        let is_configuration = |path: &Path| {
            let name = crate::document::name_of(path);
            name == configuration::PROJECT_FILE || name == formwork::samconfig::SamConfig::FILE_NAME
        };
        let configures = changes.iter().any(|(path, _)| is_configuration(path));
        self.view.world.apply(changes);
        if configures {
            self.view.world.forget_options();
        }
        self.next();
    }

    fn next(&mut self) {
        self.view.slots = self.view.next_slots();
        self.view.revision += 1;
    }

    /// Requests about a document that changes are answered: they were about another text.
    fn outdate(&mut self, path: &Path) {
        let is_about = |pending: &Pending| pending.document.as_deref() == Some(path);
        let ids: Vec<RequestId> =
            self.pending.iter().filter(|(_, pending)| is_about(pending)).map(|(id, _)| id.clone()).collect();
        for id in ids {
            let Some(pending) = self.pending.remove(&id) else { continue };
            if pending.method == "textDocument/diagnostic" {
                let data = Some(json!({"retriggerRequest": true}));
                let failure = Failure { data, ..Failure::new(SERVER_CANCELLED, "the document changed") };
                self.fail(&id, failure);
            } else {
                self.fail(&id, Failure::new(CONTENT_MODIFIED, "the document changed"));
            }
        }
    }

    fn set_values(&mut self, params: &Value) -> Answer {
        let uri = params.get("uri").and_then(Value::as_str).ok_or_else(|| Failure::params("no uri"))?;
        let path = uri::to_path(uri);
        let values = handlers::values::read(&self.view, &path, params)?;
        let mut all: BTreeMap<PathBuf, WhatIf> = (*self.view.values).clone();
        if values == WhatIf::default() {
            all.remove(&path);
        } else {
            all.insert(path, values);
        }
        self.view.values = Arc::new(all);
        self.view.world.forget_options();
        self.next();
        self.refresh_all();
        Ok(Value::Null)
    }

    // -- Diagnostics -------------------------------------------------------

    /// Computes the diagnostics of open documents, when they are not those of this state.
    fn diagnose(&mut self) {
        let is_due = self.diagnosed < self.view.revision && !self.is_compiling && self.is_initialized;
        let waits = match self.view.settings.run {
            Run::OnType => false,
            Run::OnSave => self.diagnosed != 0 && self.diagnosed != 1,
            Run::Off => true,
        };
        if !is_due || waits || self.is_shut_down {
            return;
        }
        self.is_compiling = true;
        let (view, events, log) = (self.view.clone(), self.events.clone(), self.log.clone());
        let revision = view.revision;
        self.compiler.run(move || {
            let mut found = Vec::new();
            for (path, document) in &*view.documents {
                let items = std::panic::catch_unwind(AssertUnwindSafe(|| diagnostics::of_document(&view, path)));
                match items {
                    Ok(Ok(items)) => found.push((path.clone(), document.version, items)),
                    // A later state has its own.
                    Ok(Err(_)) => break,
                    Err(_) => log.line("a check panicked"),
                }
            }
            let _ = events.send(Event::Diagnosed(revision, found));
        });
    }

    fn publish(&mut self, revision: u64, found: Vec<(PathBuf, i32, Vec<Value>)>) {
        self.is_compiling = false;
        if revision == self.view.revision {
            self.diagnosed = revision;
        }
        let mut is_other_changed = false;
        for (path, version, items) in found {
            let Some(document) = self.view.document(&path).filter(|document| document.version == version) else {
                continue;
            };
            let known = self.published.get(&path);
            let is_known = known.is_some_and(|(of, known)| *of == version && *known == items);
            let is_new_to_nobody = known.is_none() && items.is_empty() && !document.is_template();
            if is_known || is_new_to_nobody {
                continue;
            }
            let has_changed = known.is_none_or(|(_, known)| *known != items);
            is_other_changed |= has_changed && !self.edited.contains(&path);
            if !self.view.client.pulls() {
                let params = json!({"uri": document.uri, "version": version, "diagnostics": items});
                self.notify("textDocument/publishDiagnostics", params);
            }
            self.published.insert(path, (version, items));
        }
        if self.diagnosed == self.view.revision {
            self.edited.clear();
            if is_other_changed {
                self.refresh(&["/workspace/diagnostics/refreshSupport"]);
            }
            self.refresh_views();
        }
    }

    /// Tells the client that open views have another text.
    fn refresh_views(&mut self) {
        let uris: Vec<String> = self.views.keys().cloned().collect();
        for uri in uris {
            let Ok(Some(text)) = handlers::expanded::text_of(&self.view, &uri) else { continue };
            let known = self.views.insert(uri.clone(), text.clone());
            if known.is_some_and(|known| known != text) && self.view.client.can("/workspace/textDocumentContent") {
                self.ask("workspace/textDocumentContent/refresh", json!({"uri": uri}));
            }
        }
    }

    fn refresh_all(&mut self) {
        self.refresh(&[
            "/workspace/diagnostics/refreshSupport",
            "/workspace/inlayHint/refreshSupport",
            "/workspace/codeLens/refreshSupport",
            "/workspace/semanticTokens/refreshSupport",
        ]);
    }

    /// Asks the client to ask again, where it can.
    fn refresh(&mut self, capabilities: &[&str]) {
        for capability in capabilities {
            if !self.view.client.can(capability) {
                continue;
            }
            let feature = capability.split('/').nth(2).unwrap_or_default();
            let feature = if feature == "diagnostics" { "diagnostic" } else { feature };
            self.ask(&format!("workspace/{feature}/refresh"), Value::Null);
        }
    }

    /// Looks at the files that open documents depend on, where the client does not watch them.
    fn look_at_files(&mut self) {
        if self.watches || !self.is_initialized {
            return;
        }
        let mut times = BTreeMap::new();
        for (path, ide) in self.view.known() {
            let folder = path.parent().unwrap_or(Path::new("/"));
            let dependencies = ide.compilation().dependencies();
            for file in dependencies.found.iter().chain(&dependencies.missing) {
                let file = crate::world::absolute(file, folder);
                let metadata = std::fs::metadata(&file).ok();
                let time = metadata.and_then(|metadata| Some((metadata.modified().ok()?, metadata.len())));
                times.insert(file, time);
            }
        }
        let is_changed = |(path, time): &(&PathBuf, &Option<(SystemTime, u64)>)| {
            self.times.get(*path).is_some_and(|known| known != *time)
        };
        let changed: Vec<PathBuf> = times.iter().filter(is_changed).map(|(path, _)| path.clone()).collect();
        self.times = times;
        self.reload(changed);
    }
}

fn folder_of(folder: &Value) -> Option<PathBuf> {
    folder.get("uri").and_then(Value::as_str).map(uri::to_path)
}

/// The memory of the process in kilobytes, where the system tells it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}
