//! Exports images from Docker or Podman, over the socket of the first engine that answers.

use std::path::PathBuf;

use tempfile::TempPath;
use thiserror::Error;

#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum EngineError {
    #[error("no Docker or Podman answers")]
    Silent,
    #[error("it is not an image that a Docker or Podman of this machine holds")]
    Unheld,
    #[error("{0}")]
    Failed(String),
}

/// Returns `true` if a value may be the name of an image; other values can only be paths.
pub(crate) fn may_hold(name: &str) -> bool {
    let is_char = |c: char| c.is_ascii_alphanumeric() || "._-/:@".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphanumeric());
    let is_file = [".tar", ".tgz", ".gz", ".zip"].iter().any(|end| name.ends_with(end));
    begins && !is_file && name.chars().all(is_char) && !name.split('/').any(|part| part == ".." || part.is_empty())
}

/// Exports the archive of an image from the first engine that has it.
///
/// # Errors
/// When no engine answers, none has it, or the archive cannot be written.
#[cfg(unix)]
pub(crate) fn export(name: &str) -> Result<TempPath, EngineError> {
    let mut result = Err(EngineError::Silent);
    for socket in unix::sockets() {
        match unix::export(&socket, name) {
            Ok(archive) => return Ok(archive),
            Err(EngineError::Silent) => {}
            Err(error @ EngineError::Failed(_)) => return Err(error),
            Err(EngineError::Unheld) => result = Err(EngineError::Unheld),
        }
    }
    result
}

/// Fails: engines have sockets on Unix only.
#[cfg(not(unix))]
pub(crate) fn export(_: &str) -> Result<TempPath, EngineError> {
    Err(EngineError::Silent)
}

/// Returns the sockets of the environment variables, or those of a usual installation.
#[cfg_attr(not(unix), allow(dead_code, reason = "engines have no sockets there"))]
fn sockets_of(variable: &dyn Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    let named = ["DOCKER_HOST", "CONTAINER_HOST"].into_iter().filter_map(variable);
    let named: Vec<PathBuf> = named.filter_map(|url| url.strip_prefix("unix://").map(PathBuf::from)).collect();
    if !named.is_empty() {
        return named;
    }
    let mut sockets = vec![PathBuf::from("/var/run/docker.sock")];
    if let Some(home) = variable("HOME") {
        sockets.push(PathBuf::from(home).join(".docker/run/docker.sock"));
    }
    if let Some(runtime) = variable("XDG_RUNTIME_DIR").map(PathBuf::from) {
        sockets.extend([runtime.join("docker.sock"), runtime.join("podman/podman.sock")]);
    }
    sockets.push(PathBuf::from("/run/podman/podman.sock"));
    sockets
}

#[cfg(unix)]
mod unix {
    use std::io::{self, BufRead, BufReader, Read, Write};
    use std::os::unix::net::UnixStream;
    use std::path::{Path, PathBuf};
    use std::time::Duration;

    use tempfile::{NamedTempFile, TempPath};

    use super::EngineError;

    /// Longest wait for the next bytes of an engine.
    const PATIENCE: Duration = Duration::from_mins(5);
    /// Maximum size in bytes of an archive: Lambda runs images of up to 10 GB.
    const MOST: u64 = 16 << 30;
    /// Maximum size in bytes of the header and of an error message.
    const HEAD: u64 = 64 << 10;

    pub(super) fn sockets() -> Vec<PathBuf> {
        super::sockets_of(&|name| std::env::var(name).ok().filter(|value| !value.is_empty()))
    }

    pub(super) fn export(socket: &Path, name: &str) -> Result<TempPath, EngineError> {
        let silent = |_| EngineError::Silent;
        let failed = |why: String| EngineError::Failed(format!("{} does not export {name}: {why}", socket.display()));
        let mut answer = ask(socket, &format!("/images/{name}/json")).map_err(silent)?;
        match answer.status {
            200 => {}
            404 => return Err(EngineError::Unheld),
            status => {
                let words = answer.words();
                return Err(failed(format!("status {status}{words}")));
            }
        }
        let mut answer = ask(socket, &format!("/images/{name}/get")).map_err(|error| failed(error.to_string()))?;
        if answer.status != 200 {
            let words = answer.words();
            return Err(failed(format!("status {}{words}", answer.status)));
        }
        let written = || -> io::Result<TempPath> {
            let mut file = NamedTempFile::new()?;
            let count = io::copy(&mut answer.body.take(MOST + 1), &mut file)?;
            file.flush()?;
            if count > MOST {
                Err(io::Error::other(format!("it has more than {MOST} bytes")))
            } else {
                Ok(file.into_temp_path())
            }
        };
        written().map_err(|error| failed(error.to_string()))
    }

    struct Answer {
        status: u16,
        body: BufReader<UnixStream>,
    }

    impl Answer {
        fn words(&mut self) -> String {
            let mut text = String::new();
            let _ = (&mut self.body).take(HEAD).read_to_string(&mut text);
            let body: Option<serde_json::Value> = serde_json::from_str(&text).ok();
            body.and_then(|body| body["message"].as_str().map(|words| format!(": {words}"))).unwrap_or_default()
        }
    }

    /// Sends a request in HTTP 1.0: the response is not chunked and ends with the connection.
    fn ask(socket: &Path, path: &str) -> io::Result<Answer> {
        let mut stream = UnixStream::connect(socket)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        stream.write_all(format!("GET {path} HTTP/1.0\r\nHost: engine\r\n\r\n").as_bytes())?;
        let mut body = BufReader::new(stream);
        let unclear = || io::Error::other("the answer is not HTTP");
        let mut line = |limit: u64| -> io::Result<String> {
            let mut line = String::new();
            (&mut body).take(limit).read_line(&mut line)?;
            if line.ends_with('\n') { Ok(line.trim_end().to_owned()) } else { Err(unclear()) }
        };
        let status = line(HEAD)?;
        let status = status.strip_prefix("HTTP/1.").and_then(|rest| rest.split(' ').nth(1));
        let status = status.and_then(|status| status.parse().ok()).ok_or_else(unclear)?;
        let mut left = HEAD;
        loop {
            let header = line(left)?;
            left = left.saturating_sub(header.len() as u64 + 2);
            if header.is_empty() {
                return Ok(Answer { status, body });
            }
            if header.to_ascii_lowercase().starts_with("transfer-encoding:") {
                return Err(io::Error::other("the answer is chunked, which HTTP 1.0 does not allow"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_paths() {
        for name in ["web", "web:v1", "org/app:1", "r.example:5000/app", "app@sha256:00", "0123456789ab"] {
            assert!(may_hold(name), "{name}");
        }
        for path in ["./web", "../web", "/web", "web.tar", "a b", "a/../b", "a//b", "", "web?x"] {
            assert!(!may_hold(path), "{path}");
        }
    }

    #[test]
    fn what_the_environment_names_counts() {
        let of = |known: &[(&str, &str)]| {
            let known: Vec<(String, String)> = known.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            sockets_of(&move |name| known.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()))
        };
        assert_eq!(of(&[("DOCKER_HOST", "unix:///a")]), [PathBuf::from("/a")]);
        assert_eq!(of(&[("DOCKER_HOST", "tcp://a")]).len(), 2);
        assert!(of(&[("XDG_RUNTIME_DIR", "/r")]).contains(&PathBuf::from("/r/podman/podman.sock")));
    }
}
