//! The error of a revision that cannot be read.

use std::fmt;

use formwork_project::Failure;

/// The reason why a revision cannot be read, with a `help:` on the second line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GitError(String);

impl GitError {
    pub(super) fn new(why: impl fmt::Display, help: &str) -> GitError {
        GitError(format!("{why}\n  help: {help}"))
    }

    pub(super) fn no_git() -> GitError {
        GitError::new("git cannot be run", "install Git, or pass two templates")
    }

    pub(super) fn incomplete(why: impl fmt::Display) -> GitError {
        GitError::new(why, "run `git fetch --refetch --no-filter`, which gets every object again")
    }
}

impl fmt::Display for GitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for GitError {}

impl From<GitError> for Failure {
    fn from(error: GitError) -> Failure {
        Failure::Usage(error.0)
    }
}
