//! The HTTP server of the tests: it listens on loopback, reads requests, and writes what a script answers.
//! CloudFormation, S3 and web servers of the tests are such scripts.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread;

/// A request.
#[derive(Clone, Debug, Default)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// With its slash, without the query.
    pub(crate) path: String,
    pub(crate) query: String,
    /// Names in lower case.
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

impl Request {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    /// Path and query, as they were asked for.
    pub(crate) fn target(&self) -> String {
        if self.query.is_empty() { self.path.clone() } else { format!("{}?{}", self.path, self.query) }
    }

    /// Reads a request; `None` when the client sends no more.
    pub(crate) fn read(input: &mut impl BufRead) -> Option<Request> {
        let line = line(input)?;
        let mut words = line.split_whitespace();
        let (method, target) = (words.next()?.to_owned(), words.next()?);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let (path, query) = (path.to_owned(), query.to_owned());
        let mut headers = BTreeMap::new();
        loop {
            let line = self::line(input)?;
            let Some((name, value)) = line.split_once(':') else { break };
            headers.insert(name.to_lowercase(), value.trim().to_owned());
        }
        let length = headers.get("content-length").and_then(|length: &String| length.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        input.read_exact(&mut body).ok()?;
        Some(Request { method, path, query, headers, body })
    }
}

/// A line without its end; `None` at the end of the stream.
fn line(input: &mut impl BufRead) -> Option<String> {
    let mut line = String::new();
    let length = input.read_line(&mut line).ok()?;
    (length > 0).then(|| line.trim_end().to_owned())
}

/// An answer.
#[derive(Clone, Debug)]
pub(crate) struct Response {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(&'static str, String)>,
    pub(crate) body: Vec<u8>,
}

impl Response {
    pub(crate) fn new(status: u16, body: impl Into<Vec<u8>>) -> Response {
        Response { status, headers: Vec::new(), body: body.into() }
    }

    pub(crate) fn with(mut self, name: &'static str, value: impl Into<String>) -> Response {
        self.headers.push((name, value.into()));
        self
    }

    /// Writes the answer to a request with a method.
    pub(crate) fn write(&self, out: &mut impl Write, method: &str) -> std::io::Result<()> {
        let body = if method == "HEAD" { &[][..] } else { &self.body };
        let headers: String = self.headers.iter().flat_map(|(name, value)| [name, ": ", value, "\r\n"]).collect();
        // In one piece: a client may leave as soon as it has read enough.
        let head = format!("HTTP/1.1 {} Said\r\n{headers}Content-Length: {}\r\n\r\n", self.status, body.len());
        out.write_all(&[head.as_bytes(), body].concat())?;
        out.flush()
    }
}

/// Listens on a port of loopback until the test program ends, and passes every connection to `serve` on a thread of
/// its own. Returns the port.
pub(crate) fn listen(serve: impl Fn(TcpStream) + Clone + Send + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let serve = serve.clone();
            thread::spawn(move || serve(stream));
        }
    });
    port
}

/// Answers every request of a connection, until the client leaves or `answer` returns nothing.
pub(crate) fn converse<S: Read + Write>(stream: S, mut answer: impl FnMut(&Request, &mut S) -> Option<Response>) {
    let mut stream = BufReader::new(stream);
    // A client that breaks off is one of the things that are tested.
    while let Some(request) = Request::read(&mut stream) {
        let Some(response) = answer(&request, stream.get_mut()) else { return };
        let closes = response.headers.iter().any(|(name, value)| *name == "Connection" && value == "close");
        if response.write(stream.get_mut(), &request.method).is_err() || closes {
            return;
        }
    }
}
