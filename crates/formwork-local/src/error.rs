//! Errors of functions that cannot be run.

use std::path::PathBuf;

/// An error of a function that cannot be started. The messages contain the fix.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// The runtime cannot be run locally.
    #[error("runtime {0} cannot be run as a process: Python, Node and `provided` runtimes can")]
    UnsupportedRuntime(String),
    /// The function has no runtime.
    #[error("function {0} has no Runtime: name one, such as python3.13, nodejs22.x or provided.al2023")]
    MissingRuntime(String),
    /// The function has no handler.
    #[error("function {0} has no Handler: name one, such as app.handler")]
    MissingHandler(String),
    /// The function is a container image.
    #[error("function {0} is a container image: images run in containers alone, functions with a Runtime as processes")]
    Image(String),
    /// The code is not on this machine.
    #[error("the code of function {id} is at {place}: name a local directory to run it")]
    RemoteCode {
        /// Logical ID of the function.
        id: String,
        /// Location of the code.
        place: String,
    },
    /// The code is missing.
    #[error("the code of function {id} does not exist: {path}")]
    MissingCode {
        /// Logical ID of the function.
        id: String,
        /// Expected path of the code.
        path: PathBuf,
    },
    /// The interpreter is missing.
    #[error("{runtime} needs {program}, which is not on the PATH: install it, or add its directory to the PATH")]
    MissingInterpreter {
        /// Name of the runtime.
        runtime: String,
        /// Name of the missing program.
        program: &'static str,
    },
    /// The `bootstrap` is missing or not executable.
    #[error("{0} is not an executable file: a `provided` runtime starts the file named bootstrap of its code")]
    MissingBootstrap(PathBuf),
    /// The port is in use.
    #[error("port {0} is taken: stop the program that listens on it, or name another one with `--port PORT`")]
    TakenPort(u16),
    /// The files of the project cannot be watched.
    #[error(transparent)]
    Unwatched(#[from] formwork_run::watch::WatchError),
    /// A file cannot be read or written, or a program cannot be started.
    #[error("{what}: {error}")]
    System {
        /// The failed operation, as a clause.
        what: String,
        /// Error of the operating system.
        error: std::io::Error,
    },
}

impl LocalError {
    /// Returns a function that adds `what` to an error of the operating system.
    pub(crate) fn system(what: impl Into<String>) -> impl FnOnce(std::io::Error) -> LocalError {
        let what = what.into();
        move |error| LocalError::System { what, error }
    }
}
