//! A web server on loopback that speaks TLS with a certificate of its own.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// A name that no resolver knows, in the certificate: behind a proxy it is this server.
pub(crate) const NAMED: &str = "modules.example";

/// What is answered at a path.
#[derive(Clone, Debug)]
pub(crate) enum Page {
    Body(Vec<u8>),
    /// A redirect to an address.
    To(String),
    /// So many bytes are announced, and none comes.
    Announced(u64),
}

#[derive(Default)]
struct State {
    pages: BTreeMap<String, Page>,
    asked: Vec<String>,
}

/// A server that runs until the test program ends.
pub(crate) struct Server {
    port: u16,
    state: Arc<Mutex<State>>,
    certificate: String,
}

impl Server {
    pub(crate) fn start() -> Server {
        let made =
            rcgen::generate_simple_self_signed(["localhost".to_owned(), "127.0.0.1".to_owned(), NAMED.to_owned()]);
        let rcgen::CertifiedKey { cert, signing_key } = made.expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("a sound certificate");
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(Mutex::new(State::default()));
        let (config, shared) = (Arc::new(config), Arc::clone(&state));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Ok(connection) = ServerConnection::new(Arc::clone(&config)) else { continue };
                // A client that breaks off is one of the things that are tested.
                let _ = answer(StreamOwned::new(connection, stream), &shared);
            }
        });
        Server { port, state, certificate: cert.pem() }
    }

    /// Puts a page or takes its place.
    pub(crate) fn put(&self, path: &str, page: Page) {
        self.state.lock().expect("no panic").pages.insert(path.to_owned(), page);
    }

    pub(crate) fn text(&self, path: &str, text: &str) {
        self.put(path, Page::Body(text.as_bytes().to_vec()));
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The host with its port.
    pub(crate) fn host(&self) -> String {
        format!("localhost:{}", self.port)
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.host())
    }

    /// The paths that were asked for since the last look.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().expect("no panic").asked)
    }

    /// Writes the certificate, for a client to trust.
    pub(crate) fn write_certificate(&self, path: &Path) {
        std::fs::write(path, &self.certificate).expect("written");
    }
}

fn answer<S: std::io::Read + Write>(mut stream: S, state: &Mutex<State>) -> std::io::Result<()> {
    let mut path = String::new();
    {
        let mut reader = BufReader::new(&mut stream);
        let mut line = String::new();
        while reader.read_line(&mut line)? > 2 {
            if let Some(rest) = line.strip_prefix("GET ") {
                rest.split(' ').next().unwrap_or_default().clone_into(&mut path);
            }
            line.clear();
        }
    }
    let page = {
        let mut state = state.lock().expect("no panic");
        state.asked.push(path.clone());
        state.pages.get(&path).cloned()
    };
    let (head, body) = match page {
        Some(Page::Body(body)) => ("200 OK".to_owned(), body),
        Some(Page::Announced(bytes)) => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\n\r\n")?;
            stream.flush()?;
            // The client leaves; until then nothing comes.
            let _ = stream.read(&mut [0]);
            return Ok(());
        }
        Some(Page::To(location)) => (format!("302 Found\r\nLocation: {location}"), Vec::new()),
        None => ("404 Not Found".to_owned(), Vec::new()),
    };
    write!(stream, "HTTP/1.1 {head}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len())?;
    stream.write_all(&body)?;
    stream.flush()
}
