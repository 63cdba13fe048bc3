//! A small S3 on loopback. What it answers can be replaced, call by call.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A call.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// With its slash.
    pub(crate) path: String,
    pub(crate) query: String,
    /// Names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }

    /// Whether it is about an object, and not about the bucket.
    pub(crate) fn is_of_object(&self) -> bool {
        self.path.matches('/').count() > 1
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }
}

/// What is answered.
#[derive(Clone, Debug)]
pub(crate) enum Answer {
    /// As S3 does it.
    Usual,
    With(u16, Vec<(&'static str, String)>, String),
    /// The connection ends.
    Nothing,
}

impl Answer {
    /// A refusal as S3 writes it.
    pub(crate) fn error(status: u16, code: &str, message: &str) -> Answer {
        let body = format!("<Error><Code>{code}</Code><Message>{message}</Message></Error>");
        Answer::With(status, Vec::new(), body)
    }

    pub(crate) fn empty(status: u16) -> Answer {
        Answer::With(status, Vec::new(), String::new())
    }
}

#[derive(Default)]
pub(crate) struct State {
    /// Everything that was asked, in order.
    pub(crate) asked: Vec<Request>,
    /// Objects by path.
    pub(crate) objects: BTreeMap<String, Vec<u8>>,
    /// Open uploads: their parts.
    pub(crate) open: BTreeMap<String, BTreeMap<u32, Vec<u8>>>,
    /// Calls that are being answered, and the most there were at once.
    busy: (usize, usize),
    ids: u32,
}

/// A server that runs until the test program ends.
pub(crate) struct Server {
    pub(crate) url: String,
    state: Arc<Mutex<State>>,
}

/// What is answered to a call; the number counts calls from 0.
type Script = dyn Fn(&Request, usize) -> Answer + Send + Sync;

impl Server {
    /// A server that answers as S3 does.
    pub(crate) fn usual() -> Server {
        Server::start(|_, _| Answer::Usual)
    }

    pub(crate) fn start(script: impl Fn(&Request, usize) -> Answer + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}", listener.local_addr().expect("an address"));
        let state = Arc::new(Mutex::new(State::default()));
        let script: Arc<Script> = Arc::new(script);
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (state, script) = (Arc::clone(&shared), Arc::clone(&script));
                thread::spawn(move || serve(stream, &state, &*script));
            }
        });
        Server { url, state }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many calls there were with a method, about objects.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.state().asked.iter().filter(|request| request.method == method && request.is_of_object()).count()
    }

    /// The most calls that were answered at once.
    pub(crate) fn most_at_once(&self) -> usize {
        self.state().busy.1
    }

    pub(crate) fn forget(&self) {
        self.state().asked.clear();
    }
}

fn serve(stream: TcpStream, state: &Mutex<State>, script: &Script) {
    let Ok(mut out) = stream.try_clone() else { return };
    let mut input = BufReader::new(stream);
    // A client that breaks off is one of the things that are tested.
    while let Some(request) = read(&mut input) {
        let number = {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.asked.push(request.clone());
            state.busy.0 += 1;
            state.busy.1 = state.busy.1.max(state.busy.0);
            state.asked.len() - 1
        };
        let answer = script(&request, number);
        let answer = {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.busy.0 -= 1;
            match answer {
                Answer::Usual => usual(&mut state, &request),
                answer => answer,
            }
        };
        let Answer::With(status, headers, body) = answer else { return };
        let headers: String = headers.iter().flat_map(|(name, value)| [name, ": ", value, "\r\n"]).collect();
        let body = if request.method == "HEAD" { "" } else { &body };
        let length = body.len();
        let text = format!("HTTP/1.1 {status} Said\r\n{headers}Content-Length: {length}\r\n\r\n{body}");
        if out.write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

fn read(input: &mut BufReader<TcpStream>) -> Option<Request> {
    let mut line = String::new();
    input.read_line(&mut line).ok()?;
    let mut words = line.split_whitespace();
    let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
    let (path, query) = target.split_once('?').unwrap_or((&target, ""));
    let mut headers = BTreeMap::new();
    loop {
        let mut line = String::new();
        input.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim_end().split_once(':') else { break };
        headers.insert(name.to_lowercase(), value.trim().to_owned());
    }
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    input.read_exact(&mut body).ok()?;
    // Before a query the bucket has a slash behind it.
    let path = path.trim_end_matches('/').to_owned();
    Some(Request { method, path, query: query.to_owned(), headers, body })
}

/// A value of a query.
fn value<'q>(query: &'q str, name: &str) -> Option<&'q str> {
    query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

/// What S3 answers.
fn usual(state: &mut State, request: &Request) -> Answer {
    let is_there = state.objects.contains_key(&request.path);
    let xml = |body: String| Answer::With(200, Vec::new(), body);
    let upload = value(&request.query, "uploadId").map(str::to_owned);
    match (request.method.as_str(), upload) {
        ("HEAD", _) if !request.is_of_object() || is_there => Answer::empty(200),
        ("HEAD", _) => Answer::empty(404),
        ("GET", _) => xml("<ListBucketResult/>".to_owned()),
        ("POST", None) => {
            state.ids += 1;
            let id = format!("upload-{}", state.ids);
            state.open.insert(id.clone(), BTreeMap::new());
            xml(format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>"))
        }
        ("POST", Some(id)) => {
            let Some(parts) = state.open.remove(&id) else { return Answer::error(404, "NoSuchUpload", "gone") };
            state.objects.insert(request.path.clone(), parts.into_values().flatten().collect());
            xml("<CompleteMultipartUploadResult/>".to_owned())
        }
        ("DELETE", Some(id)) => match state.open.remove(&id) {
            Some(_) => Answer::empty(204),
            None => Answer::error(404, "NoSuchUpload", "gone"),
        },
        ("PUT", Some(id)) => {
            let number = value(&request.query, "partNumber").and_then(|number| number.parse().ok()).unwrap_or(0);
            let Some(parts) = state.open.get_mut(&id) else { return Answer::error(404, "NoSuchUpload", "gone") };
            parts.insert(number, request.body.clone());
            Answer::With(200, vec![("ETag", format!("\"{number}\""))], String::new())
        }
        ("PUT", None) if is_there && request.header("if-none-match") == "*" => {
            Answer::error(412, "PreconditionFailed", "it is there")
        }
        ("PUT", None) => {
            state.objects.insert(request.path.clone(), request.body.clone());
            Answer::empty(200)
        }
        _ => Answer::error(405, "MethodNotAllowed", "no"),
    }
}
