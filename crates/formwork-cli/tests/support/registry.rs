//! Debian's `docker-registry` on a port of loopback. It ends with the test, also when that fails.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::daemon::{self, Daemon};

/// A registry that runs.
pub(crate) struct Registry {
    _daemon: Daemon,
    /// `HOST:PORT`
    pub(crate) host: String,
}

impl Registry {
    /// Starts a registry with an empty store, if it is installed.
    pub(crate) fn start(name: &str) -> Option<Registry> {
        let program = installed()?;
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("registries").join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a directory");
        let command = |port: u16| {
            let config = folder.join("config.yml");
            let text = format!(
                "version: 0.1\nlog: {{level: error, accesslog: {{disabled: true}}}}\n\
                 storage: {{filesystem: {{rootdirectory: '{}'}}}}\nhttp: {{addr: '127.0.0.1:{port}'}}\n",
                folder.join("store").display()
            );
            std::fs::write(&config, text).expect("a file");
            let mut command = Command::new(&program);
            command.arg("serve").arg(&config);
            command
        };
        let daemon = Daemon::start(command, "/v2/", Duration::from_secs(20));
        Some(Registry { host: daemon.address(), _daemon: daemon })
    }

    /// The body of what is at a path below `/v2/`.
    pub(crate) fn get(&self, path: &str) -> Vec<u8> {
        let mut stream = TcpStream::connect(&self.host).expect("a connection");
        let accept = "application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json";
        let request = format!("GET /v2/{path} HTTP/1.0\r\nHost: {}\r\nAccept: {accept}\r\n\r\n", self.host);
        stream.write_all(request.as_bytes()).expect("written");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|part| part == b"\r\n\r\n").expect("a body");
        assert!(answer.starts_with(b"HTTP/1.0 200"), "{path}: {}", String::from_utf8_lossy(&answer));
        answer.split_off(end + 4)
    }

    pub(crate) fn json(&self, path: &str) -> Value {
        serde_json::from_slice(&self.get(path)).expect("JSON")
    }
}

/// The program, where the package is installed or at `FORMWORK_REGISTRY`. Without it, prints that the test is skipped;
/// with `FORMWORK_REQUIRE_REGISTRY` that is a failure.
fn installed() -> Option<PathBuf> {
    let named = std::env::var_os("FORMWORK_REGISTRY").map(PathBuf::from);
    let program = named.unwrap_or_else(|| PathBuf::from("/usr/bin/docker-registry"));
    if program.exists() {
        return Some(program);
    }
    let why = format!("{} is not there: apt-get install docker-registry", program.display());
    daemon::skip(&why, "FORMWORK_REQUIRE_REGISTRY");
    None
}
