//! The loop that reads messages and owns the state.

mod context;
mod life;
mod notifications;
mod progress;
mod publish;
mod refresh;
mod requests;
mod scan;
mod send;
mod settings;
mod state;
mod values;
mod watch;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, at, never, select, tick, unbounded};
use formwork::Cancellation;
use lsp_server::{Connection, Message, RequestId, Response};
use serde_json::Value;

use crate::client::Client;
use crate::diagnostics::Diagnosed;
use crate::handlers::Answered;
use crate::log::Log;
use crate::outbox::Outbox;
use crate::pool::Pool;
use crate::record::Recorder;
use crate::response::Failure;
use crate::settings::Settings;
use crate::transport::Outgoing;
use crate::view::View;
use crate::world::World;
use crate::{Options, uri};
use watch::Watched;

/// The interval for checking files that the client does not watch.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// The end of a session.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    /// `true` if the client requested a shutdown before.
    pub is_shut_down: bool,
    /// `true` if the client ended it, by `exit` or the end of its messages; else its process is gone.
    pub by_client: bool,
}

/// The reason why a server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The file of [`Options::log`] cannot be created.
    #[error("the log cannot be created: {}", reason(.0))]
    Log(#[source] io::Error),
    /// The file of [`Options::record`] cannot be created.
    #[error("the recording cannot be created: {0}")]
    Recording(#[source] io::Error),
}

fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "its directory does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

enum Event {
    Answered(RequestId, Result<Answered, Failure>),
    Diagnosed(Vec<(PathBuf, Diagnosed)>),
    /// The compiling thread finished a revision.
    Compiled(Compiled),
    /// The scan of the workspace with this token is over.
    Scanned(Option<String>),
    /// The contexts of a module, for the request that selects one.
    Contexts(RequestId, context::Selection, Result<Vec<crate::context::Context>, Failure>),
    Orphaned,
}

#[derive(Default)]
struct Compiled {
    revision: u64,
    /// Set unless a later state interrupted it.
    is_whole: bool,
    panics: u64,
    /// Open views with hashes of their content.
    views: Vec<(String, u64)>,
    imported: BTreeSet<PathBuf>,
}

/// The last text of a view that was sent to a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// The text at a revision.
    At(u64),
    /// The text with a hash.
    Text(u64),
}

struct Pending {
    method: String,
    document: Option<PathBuf>,
    /// The client's token for progress.
    token: Option<Value>,
    since: Instant,
    cancellation: Cancellation,
}

impl Pending {
    fn new(method: &str, document: Option<PathBuf>) -> Pending {
        let cancellation = Cancellation::new();
        Pending { method: method.to_owned(), document, token: None, since: Instant::now(), cancellation }
    }
}

pub(crate) struct Server {
    outbox: Outbox,
    events: Sender<Event>,
    pool: Pool,
    compiler: Pool,
    log: Log,
    is_initialized: bool,
    is_shut_down: bool,
    is_trusted: bool,
    view: View,
    pending: HashMap<RequestId, Pending>,
    next_request: i32,
    /// Requests of the server by their IDs.
    asked: HashMap<RequestId, Asked>,
    diagnostics: Diagnostics,
    watched: Watched,
    /// The initial settings, to which those of the client's configuration are added.
    initial: Settings,
    pub(crate) counts: Counts,
    /// Open views, with the state of the client.
    views: BTreeMap<String, Shown>,
    /// Set while the workspace is scanned, and when it has to be scanned again.
    is_scanning: bool,
    scans_again: bool,
}

#[derive(Default)]
struct Diagnostics {
    is_compiling: bool,
    /// Set when they are to be computed although the state is the same: a document was saved. This is not a part of
    /// `revision`, which a run that began before sets at its end.
    is_wanted: bool,
    /// The start of the run, until the client is shown that it takes long; then the token of the progress.
    compiling: Slow,
    /// The revision whose diagnostics were computed last.
    revision: u64,
    /// The published diagnostics of documents. A run uses those at its start.
    published: Arc<BTreeMap<PathBuf, Diagnosed>>,
    /// Documents that changed since.
    edited: BTreeSet<PathBuf>,
    /// Set when those of a document changed that nobody edited.
    has_changed_others: bool,
}

/// A task that is shown to the client if it takes long.
#[derive(Default)]
enum Slow {
    #[default]
    No,
    NotYet(Instant),
    Shown(String),
}

enum Asked {
    /// The settings of files outside of these directories, and in each of them.
    Configuration(Vec<PathBuf>),
    /// A choice among sets of values for a template: label and ID of each.
    Values(String, Vec<(String, String)>),
    /// A choice among contexts of a module: label, file and import of each.
    Context(PathBuf, Vec<(String, (PathBuf, String))>),
    Other,
}

#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Counts {
    pub(crate) requests: u64,
    pub(crate) panics: u64,
}

/// Serves a client until it ends the connection.
///
/// # Errors
/// When the log or the recording cannot be created.
pub fn serve(connection: Connection, options: &Options) -> Result<Ending, ServeError> {
    let Connection { sender, receiver } = connection;
    let (outgoing, sent) = unbounded::<Outgoing>();
    let forward = std::thread::spawn(move || {
        for one in sent {
            if sender.send(one.message()).is_err() {
                break;
            }
        }
    });
    let ending = serve_channels(outgoing, &receiver, options);
    let _ = forward.join();
    ending
}

/// Serves a client over the channels of its streams.
///
/// # Errors
/// When the log or the recording cannot be created.
pub(crate) fn serve_channels(
    outgoing: Sender<Outgoing>,
    receiver: &Receiver<Message>,
    options: &Options,
) -> Result<Ending, ServeError> {
    let log = Log::create(options.log.as_deref()).map_err(ServeError::Log)?;
    let recorder = options.record.as_deref().map(Recorder::create).transpose().map_err(ServeError::Recording)?;
    let (events, received) = unbounded();
    let mut server = Server::new(Outbox::new(outgoing, recorder), events, log, options);
    Ok(server.run(receiver, &received))
}

impl Server {
    fn new(outbox: Outbox, events: Sender<Event>, log: Log, options: &Options) -> Server {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(4));
        Server {
            outbox,
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
                folder_settings: Arc::default(),
                roots: Arc::default(),
                values: Arc::default(),
                contexts: Arc::default(),
                chosen: Arc::default(),
                documents: Arc::default(),
                imported: Arc::default(),
                unsaved: Arc::default(),
                scanned: Arc::default(),
                world: Arc::new(World::new(options.hosts.clone())),
                slots: Arc::default(),
                settled: 0,
                cancellation: Cancellation::never(),
            },
            pending: HashMap::new(),
            next_request: 0,
            asked: HashMap::new(),
            diagnostics: Diagnostics { revision: 1, ..Diagnostics::default() },
            watched: Watched::default(),
            initial: Settings::default(),
            counts: Counts::default(),
            views: BTreeMap::new(),
            is_scanning: false,
            scans_again: false,
        }
    }

    fn run(&mut self, receiver: &Receiver<Message>, events: &Receiver<Event>) -> Ending {
        let clock = tick(LOOK_AGAIN);
        loop {
            let slow = self.slow_at().map_or_else(never, at);
            let files = self.watched.due().map_or_else(never, at);
            select! {
                recv(receiver) -> message => match message {
                    Ok(Message::Notification(notification)) if notification.method == "exit" => {
                        self.outbox.record(&Message::Notification(notification), &[]);
                        return Ending { is_shut_down: self.is_shut_down, by_client: true };
                    }
                    Ok(message) => self.take(message),
                    Err(_) => return Ending { is_shut_down: self.is_shut_down, by_client: true },
                },
                recv(events) -> event => match event {
                    Ok(Event::Orphaned) | Err(_) => return Ending { is_shut_down: self.is_shut_down, by_client: false },
                    Ok(event) => self.happened(event),
                },
                recv(clock) -> _ => self.look_at_files(),
                recv(slow) -> _ => self.show_what_is_slow(),
                recv(files) -> _ => self.take_changed_files(),
            }
            // A burst of messages is answered once.
            if receiver.is_empty() {
                self.diagnose();
            }
        }
    }

    fn take(&mut self, message: Message) {
        if self.outbox.is_recording() {
            let secrets = self.secret_names(&message);
            self.outbox.record(&message, &secrets);
        }
        let is_about_files = |message: &Message| matches!(message, Message::Notification(notification) if notification.method == watch::METHOD);
        if !is_about_files(&message) {
            // Later requests are answered on the state after the reported changes.
            self.take_changed_files();
        }
        match message {
            Message::Request(request) => self.request(request),
            Message::Notification(notification) => self.notification(notification),
            Message::Response(response) => self.response(response),
        }
    }

    fn happened(&mut self, event: Event) {
        match event {
            Event::Answered(id, answer) => self.answered(&id, answer),
            Event::Diagnosed(found) => self.publish(found),
            Event::Compiled(compiled) => self.compiled(compiled),
            Event::Scanned(token) => self.scanned(token.as_deref()),
            Event::Contexts(id, selection, found) => self.contexts_found(&id, selection, found),
            Event::Orphaned => {}
        }
    }
}

fn folder_of(folder: &Value) -> Option<PathBuf> {
    folder.get("uri").and_then(Value::as_str).map(uri::to_path)
}

/// The memory of the process in kilobytes, if the system reports it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

fn ok(id: RequestId, result: Value) -> Response {
    Response { id, response_result: Ok(result) }
}
