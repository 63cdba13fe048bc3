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

/// How often files are looked at where the client does not watch them.
const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// How the server ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    /// Whether the client asked for a shutdown before.
    pub is_shut_down: bool,
    /// Whether the client ended it, by `exit` or the end of its messages; else its process is gone.
    pub by_client: bool,
}

/// Why a server cannot start.
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

/// Why a file cannot be created, in words.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => "its directory does not exist".to_owned(),
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        _ => error.to_string(),
    }
}

/// What threads report to the loop.
enum Event {
    /// The answer of a request.
    Answered(RequestId, Result<Answered, Failure>),
    /// The diagnostics of some open documents, by path.
    Diagnosed(Vec<(PathBuf, Diagnosed)>),
    /// Everything that is shown was computed at a revision.
    Compiled(Compiled),
    /// The scan of the workspace with this token is over.
    Scanned(Option<String>),
    /// The contexts of a module, for the request that selects one.
    Contexts(RequestId, context::Selection, Result<Vec<crate::context::Context>, Failure>),
    /// The process of the client is gone.
    Orphaned,
}

/// What the compiling thread is done with.
#[derive(Default)]
struct Compiled {
    revision: u64,
    /// Whether it got to the end: a later state has its own.
    is_whole: bool,
    panics: u64,
    /// Open views with hashes of their content.
    views: Vec<(String, u64)>,
    /// Documents that templates import, whatever they look like.
    imported: BTreeSet<PathBuf>,
}

/// What a client has of a view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shown {
    /// The text at a revision.
    At(u64),
    /// The text with a hash.
    Text(u64),
}

/// A request that is being answered.
struct Pending {
    method: String,
    document: Option<PathBuf>,
    /// Where the client wants to see how far it is.
    token: Option<Value>,
    since: Instant,
    /// What ends the work on it.
    cancellation: Cancellation,
}

impl Pending {
    fn new(method: &str, document: Option<PathBuf>) -> Pending {
        let cancellation = Cancellation::new();
        Pending { method: method.to_owned(), document, token: None, since: Instant::now(), cancellation }
    }
}

/// The state of the server.
pub(crate) struct Server {
    outbox: Outbox,
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
    diagnostics: Diagnostics,
    watched: Watched,
    /// The settings of the start, which those of the client's configuration are added to.
    initial: Settings,
    pub(crate) counts: Counts,
    /// Views that are open, with what the client has of them.
    views: BTreeMap<String, Shown>,
    /// Whether the workspace is being scanned, and whether it has to be again.
    is_scanning: bool,
    scans_again: bool,
}

/// Which diagnostics were computed and published.
#[derive(Default)]
struct Diagnostics {
    /// Whether those of an older state are being computed.
    is_compiling: bool,
    /// Whether they are to be computed although the state is the same: a document was saved. This is not a part of
    /// `revision`, which a run that began before sets at its end.
    is_wanted: bool,
    /// Since when, until the client is shown that it takes long; then the token of that.
    compiling: Slow,
    /// The revision whose diagnostics were computed last.
    revision: u64,
    /// What was published of documents. A run has what was published at its start.
    published: Arc<BTreeMap<PathBuf, Diagnosed>>,
    /// Documents that changed since.
    edited: BTreeSet<PathBuf>,
    /// Whether those of a document changed that nobody edited.
    has_changed_others: bool,
}

/// Whether something takes so long that the client shows it.
#[derive(Default)]
enum Slow {
    #[default]
    No,
    NotYet(Instant),
    Shown(String),
}

/// A request of the server.
enum Asked {
    /// The settings of files outside of these directories, and in each of them.
    Configuration(Vec<PathBuf>),
    /// A choice among sets of values for a template: label and id of each.
    Values(String, Vec<(String, String)>),
    /// A choice among contexts of a module: label, file and import of each.
    Context(PathBuf, Vec<(String, (PathBuf, String))>),
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

/// The same with channels of the streams.
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
            // What comes later is answered on what was reported before.
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

/// The memory of the process in kilobytes, where the system has it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// An answer, without a copy of it.
fn ok(id: RequestId, result: Value) -> Response {
    Response { id, response_result: Ok(result) }
}
