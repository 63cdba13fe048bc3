//! Moto's server: the services that are asked, as others wrote them. It runs on loopback and ends
//! with the test, also when that fails.

use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use super::program::{Folder, Run};
use crate::support::daemon::{self, Daemon};

/// A server that was filled, and what was put there.
pub(crate) struct Moto {
    daemon: Daemon,
    url: String,
    programs: PathBuf,
    pub(crate) seeded: Value,
}

impl Moto {
    /// Starts and fills a server, if it is installed.
    pub(crate) fn start() -> Option<Moto> {
        let programs = installed()?;
        let command = |port: u16| {
            let mut command = Command::new(programs.join("moto_server"));
            command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
            command
        };
        let daemon = Daemon::start(command, "/moto-api/", Duration::from_mins(1));
        let url = format!("http://{}", daemon.address());
        let mut moto = Moto { daemon, url, programs, seeded: Value::Null };
        moto.seeded = moto.python("seed.py", &[]);
        Some(moto)
    }

    /// Its host and port.
    pub(crate) fn address(&self) -> String {
        self.daemon.address()
    }

    /// What a script prints that speaks to the server.
    pub(crate) fn python(&self, script: &str, words: &[&str]) -> Value {
        let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/live").join(script);
        let mut command = Command::new(self.programs.join("python"));
        let output = command.arg(script).arg(&self.url).args(words).output().expect("python runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).expect("JSON")
    }

    /// Runs the program against the server.
    pub(crate) fn run(&self, folder: &Folder, words: &[&str]) -> Run {
        self.run_with(folder, words, &[])
    }

    /// The same with more in its environment.
    pub(crate) fn run_with(&self, folder: &Folder, words: &[&str], more: &[(&str, &str)]) -> Run {
        let environment = [
            ("AWS_ACCESS_KEY_ID", "AKIDOFTHETESTS"),
            ("AWS_SECRET_ACCESS_KEY", "a-secret-of-the-tests"),
            ("AWS_REGION", "us-east-1"),
            ("AWS_ENDPOINT_URL", self.url.as_str()),
        ];
        let run = folder.run(words, &[&environment[..], more].concat());
        for secret in ["a-secret-of-the-tests", "AKIDOFTHETESTS", "never-to-be-seen"] {
            assert!(!run.out.contains(secret) && !run.err.contains(secret), "{run:?}");
        }
        run
    }

    /// What a Python program prints that asks the server through boto3.
    pub(crate) fn boto3(&self, program: &str) -> String {
        let python = installed().expect("moto is installed").join("python");
        let output = Command::new(python)
            .args(["-c", program])
            .env("AWS_ENDPOINT_URL", &self.url)
            .envs([("AWS_ACCESS_KEY_ID", "seed"), ("AWS_SECRET_ACCESS_KEY", "seed")])
            .env("AWS_DEFAULT_REGION", "us-east-1")
            .output()
            .expect("python runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Something that was put there, by its name in what the script printed.
    pub(crate) fn text(&self, name: &str) -> &str {
        self.seeded[name].as_str().expect("a text")
    }
}

/// The directory of moto's programs, boto3's Python among them: where CI installs them, or where
/// `FORMWORK_MOTO` names it. Without them the test prints that it is skipped; with `FORMWORK_REQUIRE_MOTO`
/// that is a failure.
pub(crate) fn installed() -> Option<PathBuf> {
    let own = || PathBuf::from(env!("CARGO_TARGET_TMPDIR")).with_file_name("ci").join("moto");
    let folder = std::env::var_os("FORMWORK_MOTO").map_or_else(own, PathBuf::from);
    let programs = folder.join("bin");
    if programs.join("moto_server").exists() {
        return Some(programs);
    }
    let folder = folder.display();
    let why = format!(
        "moto's server is not installed: python3 -m venv {folder} && {folder}/bin/pip install 'moto[server]==5.2.5'"
    );
    daemon::skip(&why, "FORMWORK_REQUIRE_MOTO");
    None
}
