//! A web server on loopback that speaks TLS with a certificate of its own.

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};

use rustls::pki_types::PrivateKeyDer;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use crate::support::http::{self, Response};

/// A name that no resolver knows, in the certificate: behind a proxy it is this server.
pub(crate) const NAMED: &str = "modules.example";

/// The name that pages use.
const DOCUMENTED: &str = "modules.example.com";

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
        let made = rcgen::generate_simple_self_signed(["localhost", "127.0.0.1", NAMED, DOCUMENTED].map(str::to_owned));
        let rcgen::CertifiedKey { cert, signing_key } = made.expect("a certificate");
        let key = PrivateKeyDer::try_from(signing_key.serialize_der()).expect("a key");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .expect("a sound certificate");
        let state = Arc::new(Mutex::new(State::default()));
        let (config, shared) = (Arc::new(config), Arc::clone(&state));
        let port = http::listen(move |stream| {
            let Ok(connection) = ServerConnection::new(Arc::clone(&config)) else { return };
            let stream = StreamOwned::new(connection, stream);
            http::converse(stream, |request, stream| answer(&request.target(), stream, &shared));
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

fn answer(path: &str, stream: &mut (impl Read + Write), state: &Mutex<State>) -> Option<Response> {
    let page = {
        let mut state = state.lock().expect("no panic");
        state.asked.push(path.to_owned());
        state.pages.get(path).cloned()
    };
    let response = match page {
        Some(Page::Body(body)) => Response::new(200, body),
        Some(Page::Announced(bytes)) => {
            write!(stream, "HTTP/1.1 200 OK\r\nContent-Length: {bytes}\r\n\r\n").ok()?;
            stream.flush().ok()?;
            // The client leaves; until then nothing comes.
            let _ = stream.read(&mut [0]);
            return None;
        }
        Some(Page::To(location)) => Response::new(302, "").with("Location", location),
        None => Response::new(404, ""),
    };
    Some(response.with("Connection", "close"))
}
