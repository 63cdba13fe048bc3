//! Errors of registries.

use formwork_template::ecr::ecr_region;
use thiserror::Error;

use crate::RemoteError;

/// The error of a call to a registry. No string in it contains a password or a token.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{message}")]
pub struct RegistryError {
    /// The error, without a full stop.
    pub message: String,
    /// The advice.
    pub help: String,
    /// The status of the response, if there was one.
    pub status: Option<u16>,
    /// Set if the same call may succeed later.
    pub(crate) passes: bool,
}

/// The advice for errors without a better one.
const AGAIN: &str = "correct that and package again: layers that are pushed already are skipped";

impl RegistryError {
    /// Creates an error that does not pass by itself.
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> RegistryError {
        RegistryError { message: message.into(), help: help.into(), status: None, passes: false }
    }

    pub(crate) fn of_network(error: RemoteError) -> RegistryError {
        match error {
            RemoteError::Unreachable { why, help } => RegistryError { passes: true, ..RegistryError::new(why, help) },
            error => RegistryError::new(error.to_string(), AGAIN),
        }
    }

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

    /// The content to push cannot be read.
    pub(crate) fn unreadable(error: &std::io::Error) -> RegistryError {
        RegistryError::new(
            format!("what is pushed cannot be read: {error}"),
            "leave the archive alone while it is packaged, and package again",
        )
    }

    pub(crate) fn unclear(host: &str, why: &str) -> RegistryError {
        let message = format!("the answer of {host} cannot be read: {why}");
        RegistryError::new(message, "look at what answers at that address: a proxy, or another service")
    }

    pub(crate) fn interrupted() -> RegistryError {
        RegistryError::new("interrupted", AGAIN)
    }
}
