//! Servers that others wrote, on a port of loopback. Each ends with its test, also when that fails.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A server that runs.
pub(crate) struct Daemon {
    child: Child,
    pub(crate) port: u16,
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Daemon {
    /// Starts what `command` makes for a port, and waits until it answers at `path`.
    pub(crate) fn start(command: impl Fn(u16) -> Command, path: &str, patience: Duration) -> Daemon {
        // A port that was free a moment ago may be taken now.
        (0..9).find_map(|_| started(&command, path, patience)).unwrap_or_else(|| panic!("{:?} answers", command(0)))
    }

    /// `HOST:PORT`
    pub(crate) fn address(&self) -> String {
        format!("127.0.0.1:{}", self.port)
    }
}

fn started(command: &impl Fn(u16) -> Command, path: &str, patience: Duration) -> Option<Daemon> {
    // Tests start servers at the same time: none takes the port of another that does not listen yet.
    static TAKEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
    if !TAKEN.lock().ok()?.insert(port) {
        return None;
    }
    let mut command = command(port);
    let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let mut daemon = Daemon { child, port };
    let begin = Instant::now();
    while begin.elapsed() < patience && daemon.child.try_wait().ok()?.is_none() {
        if answers(port, path) {
            return Some(daemon);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}

fn answers(port: u16, path: &str) -> bool {
    let ask = || -> std::io::Result<Vec<u8>> {
        let mut stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_read_timeout(Some(Duration::from_secs(5)))?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: 127.0.0.1:{port}\r\n\r\n").as_bytes())?;
        let mut status = vec![0; "HTTP/1.1 200".len()];
        stream.read_exact(&mut status)?;
        Ok(status)
    };
    ask().is_ok_and(|status| status.ends_with(b" 200"))
}

/// Prints that a test is skipped because a program is not installed, where the test runner does not catch it; with the
/// variable `required` that is a failure.
pub(crate) fn skip(why: &str, required: &str) {
    assert!(std::env::var_os(required).is_none(), "{why}");
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}
