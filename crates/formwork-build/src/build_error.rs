//! Reasons why a source was not built.

use std::io;
use std::path::PathBuf;

#[derive(Debug)]
pub(crate) enum BuildError {
    Failed {
        tool: String,
        status: String,
        tail: Vec<String>,
    },
    Missing {
        tool: String,
        help: String,
    },
    /// The source cannot be built as the template declares it.
    Unfit {
        /// The error, as the words after the logical ID of the resource.
        message: String,
        help: String,
    },
    File {
        path: PathBuf,
        error: io::Error,
    },
    Interrupted,
}

impl BuildError {
    pub(crate) fn unfit(message: impl Into<String>, help: impl Into<String>) -> BuildError {
        BuildError::Unfit { message: message.into(), help: help.into() }
    }

    pub(crate) fn file(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> BuildError {
        let path = path.into();
        |error| BuildError::File { path, error }
    }
}
