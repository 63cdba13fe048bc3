//! A server of moto for the blocks that deploy: it runs on loopback and ends with its document.

use std::collections::BTreeSet;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A running server.
pub(crate) struct Moto {
    child: Child,
    url: String,
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Moto {
    /// Starts a server, where it is installed: below target/ci, or where `FORMWORK_MOTO` names it. Otherwise returns why
    /// not; with `FORMWORK_REQUIRE_MOTO` this is a failure.
    pub(crate) fn start() -> Result<Moto, String> {
        let own = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("ci").join("moto");
        let directory = std::env::var_os("FORMWORK_MOTO").map_or_else(own, PathBuf::from);
        let program = directory.join("bin/moto_server");
        if !program.exists() {
            let why = format!("moto's server is not installed: {} does not exist", program.display());
            assert!(std::env::var_os("FORMWORK_REQUIRE_MOTO").is_none(), "{why}");
            return Err(why);
        }
        // A port that was free a moment ago may be taken now.
        Ok((0..9).find_map(|_| started(&program)).expect("moto's server answers"))
    }

    /// Returns the variables with which a program reaches the server, and no other.
    pub(crate) fn environment(&self) -> [(&str, &str); 4] {
        [
            ("AWS_ACCESS_KEY_ID", "documents"),
            ("AWS_SECRET_ACCESS_KEY", "documents"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", &self.url),
        ]
    }
}

fn started(program: &Path) -> Option<Moto> {
    // Documents start servers at the same time: none takes the port of another that does not listen yet.
    static TAKEN: Mutex<BTreeSet<u16>> = Mutex::new(BTreeSet::new());
    let port = TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
    if !TAKEN.lock().ok()?.insert(port) {
        return None;
    }
    let child = Command::new(program)
        .args(["-H", "127.0.0.1", "-p", &port.to_string()])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let mut moto = Moto { child, url: format!("http://127.0.0.1:{port}") };
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_mins(1) && moto.child.try_wait().ok()?.is_none() {
        if TcpStream::connect(("127.0.0.1", port)).is_ok() {
            return Some(moto);
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    None
}
