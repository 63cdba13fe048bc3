//! A proxy on loopback that makes tunnels (`CONNECT`), as those of organizations do.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::sync::{Arc, Mutex};
use std::thread;

use crate::support::http;

/// A proxy that runs until the test program ends. Every name is this machine to it.
pub(crate) struct Proxy {
    port: u16,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    /// A proxy that lets in whoever has these credentials, in Base64.
    pub(crate) fn start(credentials: Option<&'static str>) -> Proxy {
        Proxy::with(credentials, None)
    }

    /// A proxy that lets everybody in, to whom each name and port is this port.
    pub(crate) fn to(port: u16) -> Proxy {
        Proxy::with(None, Some(port))
    }

    fn with(credentials: Option<&'static str>, target: Option<u16>) -> Proxy {
        let asked = Arc::new(Mutex::new(Vec::new()));
        let shared = Arc::clone(&asked);
        // A client that breaks off is one of the things that are tested.
        let port = http::listen(move |stream| drop(tunnel(stream, credentials, target, &shared)));
        Proxy { port, asked }
    }

    /// Its address, with user and password.
    pub(crate) fn url(&self, user: &str) -> String {
        format!("http://{user}127.0.0.1:{}", self.port)
    }

    /// The hosts that it was asked for since the last look.
    pub(crate) fn asked(&self) -> Vec<String> {
        std::mem::take(&mut self.asked.lock().expect("no panic"))
    }
}

fn tunnel(
    mut stream: TcpStream,
    credentials: Option<&str>,
    to: Option<u16>,
    asked: &Mutex<Vec<String>>,
) -> std::io::Result<()> {
    let (mut target, mut is_known) = (String::new(), credentials.is_none());
    let mut reader = BufReader::new(stream.try_clone()?);
    let mut line = String::new();
    while reader.read_line(&mut line)? > 2 {
        if let Some(rest) = line.strip_prefix("CONNECT ") {
            rest.split(' ').next().unwrap_or_default().clone_into(&mut target);
        }
        is_known |= credentials.is_some_and(|known| line.trim_end().ends_with(&format!("Basic {known}")));
        line.clear();
    }
    asked.lock().expect("no panic").push(target.clone());
    if !is_known {
        return write!(stream, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
    }
    let named = target.rsplit_once(':').map_or("", |(_, port)| port).to_owned();
    let port = to.map_or(named, |port| port.to_string());
    let Ok(mut server) = TcpStream::connect(format!("127.0.0.1:{port}")) else {
        return write!(stream, "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    };
    write!(stream, "HTTP/1.1 200 Connection established\r\n\r\n")?;
    let (mut back, mut to) = (server.try_clone()?, stream.try_clone()?);
    let answers = thread::spawn(move || {
        let _ = std::io::copy(&mut back, &mut to);
        let _ = to.shutdown(std::net::Shutdown::Write);
    });
    // What the reader has taken in already belongs to the tunnel.
    let begun = reader.buffer().to_vec();
    server.write_all(&begun)?;
    let _ = std::io::copy(&mut stream, &mut server);
    let _ = server.shutdown(std::net::Shutdown::Write);
    let _ = answers.join();
    Ok(())
}
