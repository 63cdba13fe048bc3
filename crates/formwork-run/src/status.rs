//! How a command ends.

use std::process::ExitCode;

/// How a command ends (reference/command-line.md#exit-status; reference/deploy.md#exit-status).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Done; warnings allowed.
    Done,
    /// The template has errors.
    Errors,
    /// Bad usage, or a file named on the command line cannot be read or written. In `deploy` also what
    /// is refused before anything is sent.
    Trouble,
    /// `deploy`: there is nothing to change, and that was to be an error.
    NothingToChange,
    /// `deploy`: what the template names could not be packaged or uploaded.
    NotPackaged,
    /// `deploy`: not permitted, or no credentials.
    NotPermitted,
    /// `deploy`: no Region is known.
    NoRegion,
    /// `deploy`: AWS cannot be reached, or does not answer.
    Unreachable,
    /// `deploy`: the time is over.
    TimedOut,
    /// Somebody ended it.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Errors | Status::Unreachable => 1,
            Status::Trouble | Status::NoRegion => 2,
            Status::NothingToChange => 3,
            Status::NotPackaged => 4,
            Status::NotPermitted => 5,
            Status::TimedOut => 6,
            Status::Interrupted => 130,
        })
    }
}
