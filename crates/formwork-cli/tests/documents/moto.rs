//! A server of moto for the blocks that deploy: it runs on loopback and ends with its document.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use crate::support::daemon::Daemon;

/// A running server.
pub(crate) struct Moto {
    _daemon: Daemon,
    url: String,
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
        let command = |port: u16| {
            let mut command = Command::new(&program);
            command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
            command
        };
        let daemon = Daemon::start(command, "/moto-api/", Duration::from_mins(1));
        Ok(Moto { url: format!("http://{}", daemon.address()), _daemon: daemon })
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
