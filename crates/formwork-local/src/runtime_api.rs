//! The Runtime API of Lambda for one process (reference/local.md#runtime-api).

use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine;
use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::HeaderMap;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::JoinSet;

use crate::admission;
use crate::invocation::{Invocation, MOST_RESPONSE_BYTES, trace_id};

#[derive(Clone, Debug)]
pub(crate) enum State {
    Starting,
    Ready,
    /// The function could not be loaded; the bytes are the report.
    InitFailed(Bytes),
}

#[derive(Debug)]
pub(crate) struct Work {
    pub(crate) invocation: Invocation,
    /// The time limit; a long one for invocations without a limit.
    pub(crate) limit: Duration,
    pub(crate) reply: oneshot::Sender<Reply>,
}

#[derive(Debug)]
pub(crate) enum Reply {
    Response(Bytes),
    Error(Bytes),
    TooLarge,
}

#[derive(Debug)]
pub(crate) struct RuntimeApi {
    arn: String,
    work: tokio::sync::Mutex<mpsc::Receiver<Work>>,
    pending: Mutex<Option<(String, oneshot::Sender<Reply>)>>,
    /// Set while a request waits for an event.
    is_read: AtomicBool,
    state: watch::Sender<State>,
}

type Answered = Response<Full<Bytes>>;

impl RuntimeApi {
    pub(crate) fn new(arn: String, work: mpsc::Receiver<Work>, state: watch::Sender<State>) -> Arc<RuntimeApi> {
        Arc::new(RuntimeApi {
            arn,
            work: tokio::sync::Mutex::new(work),
            pending: Mutex::new(None),
            is_read: AtomicBool::new(false),
            state,
        })
    }

    /// Answers the process until the future is dropped.
    pub(crate) async fn serve(self: Arc<Self>, listener: TcpListener) {
        let mut connections = JoinSet::new();
        loop {
            let Ok((stream, _)) = listener.accept().await else {
                tokio::time::sleep(Duration::from_millis(10)).await;
                continue;
            };
            let api = Arc::clone(&self);
            let service = service_fn(move |request| {
                let api = Arc::clone(&api);
                async move { Ok::<_, Infallible>(api.answer(request).await) }
            });
            let _ = stream.set_nodelay(true);
            connections.spawn(async move {
                let io = TokioIo::new(stream);
                let _ = hyper::server::conn::http1::Builder::new().serve_connection(io, service).await;
            });
            while connections.try_join_next().is_some() {}
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Answered {
        if admission::is_of_browser(request.headers()) {
            return error(StatusCode::FORBIDDEN, "Forbidden", "the Runtime API is for the process of the function");
        }
        let path = request.uri().path().to_owned();
        let Some(rest) = path.strip_prefix("/2018-06-01/runtime/") else { return not_found() };
        match (request.method(), rest.split('/').collect::<Vec<_>>().as_slice()) {
            (&Method::GET, ["invocation", "next"]) => self.next().await,
            (&Method::POST, ["invocation", id, "response"]) => {
                let reply = match collect(request).await {
                    Ok(body) => body.reply(),
                    Err(answer) => return *answer,
                };
                self.take(id, reply)
            }
            (&Method::POST, ["invocation", id, "error"]) => match collect(request).await {
                Ok(body) => self.take(id, Reply::Error(body.error())),
                Err(answer) => *answer,
            },
            (&Method::POST, ["init", "error"]) => match collect(request).await {
                Ok(body) => {
                    self.state.send_replace(State::InitFailed(body.error()));
                    accepted()
                }
                Err(answer) => *answer,
            },
            _ => not_found(),
        }
    }

    async fn next(&self) -> Answered {
        let Some(_reader) = self.reader() else {
            let message =
                "the function is already reading or handling an event: a process answers before it asks again";
            return error(StatusCode::FORBIDDEN, "InvalidStateTransition", message);
        };
        self.state.send_if_modified(|state| {
            let is_first = matches!(state, State::Starting);
            if is_first {
                *state = State::Ready;
            }
            is_first
        });
        let Some(work) = self.work.lock().await.recv().await else {
            return error(StatusCode::INTERNAL_SERVER_ERROR, "Runtime.Ended", "the function is not needed any more");
        };
        let Work { invocation, limit, reply } = work;
        let now = jiff::Timestamp::now();
        let deadline = now.as_millisecond() + limit.as_millis() as i64;
        let mut response = Response::builder()
            .header("Content-Type", "application/json")
            .header("Lambda-Runtime-Aws-Request-Id", &invocation.id)
            .header("Lambda-Runtime-Deadline-Ms", deadline)
            .header("Lambda-Runtime-Invoked-Function-Arn", &self.arn)
            .header("Lambda-Runtime-Trace-Id", trace_id(now.as_second()));
        let data = [
            ("Lambda-Runtime-Client-Context", &invocation.client.context),
            ("Lambda-Runtime-Cognito-Identity", &invocation.client.identity),
        ];
        for (name, value) in data {
            if let Some(value) = value {
                response = response.header(name, value);
            }
        }
        *self.pending() = Some((invocation.id, reply));
        response.body(Full::new(invocation.event)).unwrap_or_else(|_| not_found())
    }

    /// Claims the wait for an event; `None` while another request waits, and until an event is answered: such a request
    /// is not from the runtime of the function, and would take its events.
    fn reader(&self) -> Option<Reader<'_>> {
        if self.pending().is_some() || self.is_read.swap(true, Ordering::AcqRel) {
            return None;
        }
        Some(Reader(&self.is_read))
    }

    fn pending(&self) -> std::sync::MutexGuard<'_, Option<(String, oneshot::Sender<Reply>)>> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, id: &str, reply: Reply) -> Answered {
        let mut pending = self.pending();
        if pending.as_ref().is_none_or(|(known, _)| known != id) {
            return error(StatusCode::BAD_REQUEST, "InvalidRequestID", "Invalid request ID");
        }
        let is_too_large = matches!(reply, Reply::TooLarge);
        if let Some((_, waiting)) = pending.take() {
            let _ = waiting.send(reply);
        }
        if is_too_large {
            let message = format!("Exceeded maximum allowed payload size ({MOST_RESPONSE_BYTES} bytes).");
            return error(StatusCode::PAYLOAD_TOO_LARGE, "RequestEntityTooLarge", &message);
        }
        accepted()
    }
}

/// A request that waits for an event. Dropping it ends the claim, also when the connection ends.
struct Reader<'a>(&'a AtomicBool);

impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}

struct Posted {
    headers: HeaderMap,
    body: Bytes,
    is_too_large: bool,
    trailers: HeaderMap,
}

impl Posted {
    fn reply(self) -> Reply {
        let trailer = |name: &str| self.trailers.get(name).and_then(|value| value.to_str().ok());
        if let Some(kind) = trailer("Lambda-Runtime-Function-Error-Type") {
            let decoded = trailer("Lambda-Runtime-Function-Error-Body")
                .and_then(|body| base64::engine::general_purpose::STANDARD.decode(body).ok());
            let without = || Bytes::from(json!({"errorType": kind}).to_string());
            return Reply::Error(decoded.map_or_else(without, Bytes::from));
        }
        if self.is_too_large { Reply::TooLarge } else { Reply::Response(self.body) }
    }

    /// Returns the error document; one with the error type of the headers when the body is not an object.
    fn error(self) -> Bytes {
        if serde_json::from_slice::<Value>(&self.body).is_ok_and(|value| value.is_object()) {
            return self.body;
        }
        let kind = self.headers.get("Lambda-Runtime-Function-Error-Type").and_then(|value| value.to_str().ok());
        let text = String::from_utf8_lossy(&self.body);
        Bytes::from(json!({"errorMessage": text, "errorType": kind.unwrap_or("Unhandled")}).to_string())
    }
}

/// Reads a body to its end, and keeps as much of it as a response may have.
async fn collect(request: Request<Incoming>) -> Result<Posted, Box<Answered>> {
    let (head, mut body) = request.into_parts();
    let (mut bytes, mut trailers, mut is_too_large) = (BytesMut::new(), HeaderMap::new(), false);
    while let Some(frame) = body.frame().await {
        let broken = |_| Box::new(error(StatusCode::BAD_REQUEST, "Runtime.Truncated", "the body is not complete"));
        match frame.map_err(broken)?.into_data() {
            Ok(data) if bytes.len() + data.len() <= MOST_RESPONSE_BYTES => bytes.extend_from_slice(&data),
            Ok(_) => is_too_large = true,
            Err(other) => trailers.extend(other.into_trailers().unwrap_or_default()),
        }
    }
    Ok(Posted { headers: head.headers, body: bytes.freeze(), is_too_large, trailers })
}

fn document(status: StatusCode, value: &Value) -> Answered {
    let mut response = Response::new(Full::new(Bytes::from(value.to_string())));
    *response.status_mut() = status;
    response.headers_mut().insert("Content-Type", hyper::header::HeaderValue::from_static("application/json"));
    response
}

fn accepted() -> Answered {
    document(StatusCode::ACCEPTED, &json!({"status": "OK"}))
}

fn error(status: StatusCode, kind: &str, message: &str) -> Answered {
    document(status, &json!({"errorType": kind, "errorMessage": message}))
}

fn not_found() -> Answered {
    error(StatusCode::NOT_FOUND, "NotFound", "unknown call of the Runtime API")
}
