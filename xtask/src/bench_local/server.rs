//! A server of `formwork local` and a connection to it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::project;

/// A server of functions that is kept alive.
pub(super) struct Server {
    child: Child,
    kind: &'static str,
    stream: BufReader<TcpStream>,
}

impl Server {
    /// Starts one in a directory and connects to it.
    pub(super) fn start(binary: &Path, folder: &Path, kind: &'static str) -> Result<Server, String> {
        let mut command = Command::new(binary);
        command.args(["local", kind, "--port", "0", "--no-credentials"]).current_dir(folder);
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| format!("{command:?} cannot be run: {error}"))?;
        let mut lines = BufReader::new(child.stderr.take().ok_or("a process has no pipes")?);
        let lost = |error: std::io::Error| error.to_string();
        let mut shown = String::new();
        let address = loop {
            let mut line = String::new();
            if lines.read_line(&mut line).map_err(lost)? == 0 {
                return Err(format!("{kind} ended: {shown}"));
            }
            if let Some((_, address)) = line.split_once("http://") {
                break address.split_whitespace().next().unwrap_or_default().to_owned();
            }
            shown.push_str(&line);
        };
        // What the server logs is read, so that it never waits for that.
        std::thread::spawn(move || std::io::copy(&mut lines, &mut std::io::sink()));
        let stream = TcpStream::connect(address).map_err(lost)?;
        stream.set_nodelay(true).map_err(lost)?;
        Ok(Server { child, kind, stream: BufReader::new(stream) })
    }

    /// Waits for the answer of a function.
    pub(super) fn invoke(&mut self, function: &str, event: &str) -> Result<(), String> {
        let path = match self.kind {
            "start-api" => format!("/{function}"),
            _ => format!("/2015-03-31/functions/{function}/invocations"),
        };
        let head = format!("POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {}\r\n\r\n{event}", event.len());
        self.stream.get_mut().write_all(head.as_bytes()).map_err(|error| error.to_string())?;
        let (_, body) = project::answer(&mut self.stream)?;
        let text = String::from_utf8_lossy(&body);
        if text.contains("\"x\"") { Ok(()) } else { Err(format!("{function} answered {text:?}")) }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // SIGTERM ends the functions as well.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}
