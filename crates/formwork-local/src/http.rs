//! Shared parts of the servers: connections, bodies, documents (reference/local.md#slow).

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::{Bytes, BytesMut};
use http_body_util::{BodyExt, Full};
use hyper::body::Incoming;
use hyper::header::HeaderValue;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

const HEAD_TIME: Duration = Duration::from_mins(1);

/// Longest pause within a body, and longest time for all of it.
const BODY_TIMES: (Duration, Duration) = (Duration::from_secs(30), Duration::from_mins(5));

pub(crate) struct Received {
    pub(crate) request: Request<Incoming>,
    pub(crate) peer: SocketAddr,
    pub(crate) spelling: Spelling,
}

/// Names of headers as the client wrote them, keyed by their lower-case names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spelling(Arc<Mutex<Names>>);

#[derive(Debug, Default)]
struct Names {
    names: HashMap<String, String>,
    line: Vec<u8>,
}

/// Maximum number of names that are remembered for a connection, and maximum length of a name in bytes.
const MOST_NAMES: usize = 512;
const LONGEST_NAME: usize = 128;

impl Spelling {
    pub(crate) fn of(&self, name: &str) -> String {
        let names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        names.names.get(name).cloned().unwrap_or_else(|| name.to_owned())
    }

    /// Reads bytes of the connection. A line of a body that looks like a header is harmless.
    fn look(&self, bytes: &[u8]) {
        let mut names = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Names { names, line } = &mut *names;
        for byte in bytes {
            match byte {
                b'\n' => line.clear(),
                b':' if !line.is_empty() && line.iter().all(u8::is_ascii_graphic) => {
                    if let Ok(name) = std::str::from_utf8(line).map(str::to_owned)
                        && (names.len() < MOST_NAMES || names.contains_key(&name.to_ascii_lowercase()))
                    {
                        names.insert(name.to_ascii_lowercase(), name);
                    }
                    // The rest of the line is a value.
                    line.resize(LONGEST_NAME, b' ');
                }
                byte if line.len() < LONGEST_NAME => line.push(*byte),
                _ => {}
            }
        }
    }
}

/// A connection that records the spelling of header names.
struct Spelled {
    stream: TcpStream,
    spelling: Spelling,
}

impl AsyncRead for Spelled {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        let before = buffer.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.spelling.look(&buffer.filled()[before..]);
        polled
    }
}

impl AsyncWrite for Spelled {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Answers every request of a listener until the future is dropped, each connection on its own task.
pub(crate) async fn serve<F, A>(listener: TcpListener, answer: F)
where
    F: Fn(Received) -> A + Clone + Send + Sync + 'static,
    A: Future<Output = Response<Full<Bytes>>> + Send + 'static,
{
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, peer)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(10)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let (answer, spelling) = (answer.clone(), Spelling::default());
        let spelled = Spelled { stream, spelling: spelling.clone() };
        let service = service_fn(move |request| {
            let answered = answer(Received { request, peer, spelling: spelling.clone() });
            async move { Ok::<_, Infallible>(answered.await) }
        });
        connections.spawn(async move {
            let mut builder = hyper::server::conn::http1::Builder::new();
            // A client that has sent its request may close its half of the connection.
            builder.half_close(true).timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
            let _ = builder.serve_connection(TokioIo::new(spelled), service).await;
        });
        while connections.try_join_next().is_some() {}
    }
}

pub(crate) enum Body {
    /// The body exceeds the limit; the number is that of the bytes sent.
    TooLarge(usize),
    Broken,
    Slow,
}

/// Reads a body of at most `most` bytes. A larger one is read to its end and dropped, so that the client receives its
/// answer.
pub(crate) async fn read(request: Request<Incoming>, most: usize) -> Result<Bytes, Body> {
    read_within(request.into_body(), most, BODY_TIMES).await
}

async fn read_within<B>(body: B, most: usize, (idle, all): (Duration, Duration)) -> Result<Bytes, Body>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
{
    tokio::time::timeout(all, collect(body, most, idle)).await.unwrap_or(Err(Body::Slow))
}

async fn collect<B>(mut body: B, most: usize, idle: Duration) -> Result<Bytes, Body>
where
    B: hyper::body::Body<Data = Bytes> + Unpin,
{
    const DRAINED: usize = 256 << 20;
    let (mut bytes, mut length) = (BytesMut::new(), 0);
    while let Some(frame) = tokio::time::timeout(idle, body.frame()).await.map_err(|_| Body::Slow)? {
        let Ok(frame) = frame else { return Err(Body::Broken) };
        let Ok(data) = frame.into_data() else { continue };
        length += data.len();
        if length <= most {
            bytes.extend_from_slice(&data);
        } else if length > DRAINED {
            break;
        }
    }
    if length > most { Err(Body::TooLarge(length)) } else { Ok(bytes.freeze()) }
}

pub(crate) fn document(status: StatusCode, value: &Value) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(value.to_string())));
    *response.status_mut() = status;
    response.headers_mut().insert("Content-Type", HeaderValue::from_static("application/json"));
    response
}

#[cfg(test)]
mod tests {
    use formwork_base::percent;

    use super::*;

    #[test]
    fn names_of_headers_keep_their_spelling() {
        let spelling = Spelling::default();
        spelling.look(b"GET http://x/ HTTP/1.1\r\nHost: a\r\nX-My");
        spelling.look(b"-Header: b: c\r\ncontent-TYPE:d\r\n\r\n");
        assert_eq!(spelling.of("x-my-header"), "X-My-Header");
        assert_eq!(spelling.of("content-type"), "content-TYPE");
        assert_eq!(spelling.of("other"), "other");
    }

    /// A body that sends a part on each tick, so many times.
    struct Dripping(tokio::time::Interval, usize);

    impl hyper::body::Body for Dripping {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            cx: &mut Context<'_>,
        ) -> Poll<Option<Result<hyper::body::Frame<Bytes>, Infallible>>> {
            if self.1 == 0 {
                return Poll::Ready(None);
            }
            std::task::ready!(self.0.poll_tick(cx));
            self.1 -= 1;
            Poll::Ready(Some(Ok(hyper::body::Frame::data(Bytes::from_static(b"x")))))
        }
    }

    #[tokio::test]
    async fn slow_clients_are_not_waited_for() {
        let body = |every: u64, parts| Dripping(tokio::time::interval(Duration::from_millis(every)), parts);
        let (short, long) = (Duration::from_millis(50), Duration::from_mins(1));
        assert_eq!(read_within(body(1, 5), 9, (long, long)).await.ok().as_deref(), Some(&b"xxxxx"[..]));
        assert!(matches!(read_within(body(1, 5), 3, (long, long)).await, Err(Body::TooLarge(5))));
        // A client that sends nothing, and one that sends a byte now and then.
        assert!(matches!(read_within(body(30_000, 5), 9, (short, long)).await, Err(Body::Slow)));
        assert!(matches!(read_within(body(10, 10_000), 99_999, (long, short)).await, Err(Body::Slow)));
    }

    #[test]
    fn escapes_are_decoded() {
        assert_eq!(percent::decoded("a%2Fb%20c%zz%4"), "a/b c%zz%4");
        assert_eq!(percent::decoded("%C3%A9+"), "é+");
    }
}
