//! Why a registry did not do what it was asked for.

use formwork_template::ecr::ecr_region;
use thiserror::Error;

use crate::RemoteError;

/// What went wrong, in words. No text of it holds a password or a token.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct RegistryError {
    /// The error, without a full stop.
    pub message: String,
    /// What to do.
    pub help: String,
    /// The status of the answer, when there was one.
    pub status: Option<u16>,
    /// Whether the same call may succeed later.
    pub(crate) passes: bool,
}

/// What to do when nothing better is known.
const AGAIN: &str = "correct that and package again: what is there already is not pushed twice";

impl RegistryError {
    /// An error that stays.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> RegistryError {
        RegistryError { message: message.into(), help: help.into(), status: None, passes: false }
    }

    /// The network brought nothing.
    pub(crate) fn of_network(error: RemoteError) -> RegistryError {
        match error {
            RemoteError::Unreachable { why, help } => RegistryError { passes: true, ..RegistryError::new(why, help) },
            error => RegistryError::new(error.to_string(), AGAIN),
        }
    }

    /// The registry rejected a request.
    pub(crate) fn of_answer(host: &str, what: &str, status: u16, words: Option<String>) -> RegistryError {
        let said = words.map_or_else(|| format!("status {status}"), |words| format!("`{words}`"));
        let help = match status {
            401 | 403 if ecr_region(host).is_some() => {
                "allow ecr:BatchGetImage, ecr:BatchCheckLayerAvailability, ecr:InitiateLayerUpload, ecr:UploadLayerPart, ecr:CompleteLayerUpload and ecr:PutImage for these credentials".to_owned()
            }
            401 | 403 => format!("log in with `docker login {host}`, as somebody who may push there"),
            404 => "correct the name of the repository, or create it".to_owned(),
            _ => AGAIN.to_owned(),
        };
        let message = format!("the registry {host} rejects {what}: {said}");
        let passes = matches!(status, 408 | 429 | 500 | 502 | 503 | 504);
        RegistryError { message, help, status: Some(status), passes }
    }

    /// What is pushed cannot be read.
    pub(crate) fn unreadable(error: &std::io::Error) -> RegistryError {
        RegistryError::new(
            format!("what is pushed cannot be read: {error}"),
            "leave the archive alone while it is packaged, and package again",
        )
    }

    /// The answer means nothing.
    pub(crate) fn unclear(host: &str, why: &str) -> RegistryError {
        let message = format!("the answer of {host} cannot be read: {why}");
        RegistryError::new(message, "look at what answers at that address: a proxy, or another service")
    }

    /// The program was asked to end.
    pub(crate) fn interrupted() -> RegistryError {
        RegistryError::new("interrupted", AGAIN)
    }
}
