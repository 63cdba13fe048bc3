//! A small S3 on loopback. What it answers can be replaced, call by call.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

pub(crate) use crate::support::http::Request;
use crate::support::http::{self, Response};

impl Request {
    pub(crate) fn is(&self, method: &str, path: &str) -> bool {
        self.method == method && self.path == path
    }

    /// Whether it is about an object, and not about the bucket.
    pub(crate) fn is_of_object(&self) -> bool {
        self.path.matches('/').count() > 1
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
    /// Calls that are being answered, and the most there were at a time.
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
        let state = Arc::new(Mutex::new(State::default()));
        let script: Arc<Script> = Arc::new(script);
        let shared = Arc::clone(&state);
        let port = http::listen(move |stream| {
            http::converse(stream, |request, _| answer(request, &shared, &*script));
        });
        let url = format!("http://127.0.0.1:{port}");
        Server { url, state }
    }

    pub(crate) fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many calls there were with a method, about objects.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.state().asked.iter().filter(|request| request.method == method && request.is_of_object()).count()
    }

    /// The most calls that were answered at a time.
    pub(crate) fn most_at_once(&self) -> usize {
        self.state().busy.1
    }

    pub(crate) fn forget(&self) {
        self.state().asked.clear();
    }
}

fn answer(request: &Request, state: &Mutex<State>, script: &Script) -> Option<Response> {
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    // Before a query the bucket has a slash behind it.
    let request = Request { path: request.path.trim_end_matches('/').to_owned(), ..request.clone() };
    let number = {
        let mut state = lock();
        state.asked.push(request.clone());
        state.busy.0 += 1;
        state.busy.1 = state.busy.1.max(state.busy.0);
        state.asked.len() - 1
    };
    let answer = script(&request, number);
    let mut state = lock();
    state.busy.0 -= 1;
    let answer = match answer {
        Answer::Usual => usual(&mut state, &request),
        answer => answer,
    };
    let Answer::With(status, headers, body) = answer else { return None };
    Some(Response { headers, ..Response::new(status, body) })
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
