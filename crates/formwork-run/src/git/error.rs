//! Why a revision cannot be read.

use std::fmt;

use formwork_project::Failure;

/// Why a revision cannot be read: the reason, and on a second line what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GitError(String);

impl GitError {
    /// A reason, and what to do about it.
    pub(super) fn new(why: impl fmt::Display, help: &str) -> GitError {
        GitError(format!("{why}\n  help: {help}"))
    }

    /// Git itself does not run.
    pub(super) fn no_git() -> GitError {
        GitError::new("git cannot be run", "install Git, or pass two templates")
    }

    /// Something of the repository is missing or damaged.
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
