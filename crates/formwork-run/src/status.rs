//! Exit statuses.

use std::process::ExitCode;

/// The exit status of a command (reference/command-line.md#exit-status; reference/deploy.md#exit-status).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Success; warnings are allowed.
    Done,
    /// The template has errors.
    Errors,
    /// Bad usage, or a file on the command line cannot be read or written. In `deploy` also what is rejected before any
    /// request.
    Failed,
    /// `deploy`: nothing changes, and the options make that an error.
    NothingToChange,
    /// `deploy`: a local artifact of the template could not be packaged or uploaded.
    NotPackaged,
    /// `deploy`: not permitted, or no credentials.
    NotPermitted,
    /// `deploy`: no Region is known.
    NoRegion,
    /// `deploy`: AWS cannot be reached, or does not answer.
    Unreachable,
    /// `deploy`: the time limit is reached.
    TimedOut,
    /// A signal ended the command.
    Interrupted,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Done => 0,
            Status::Errors | Status::Unreachable => 1,
            Status::Failed | Status::NoRegion => 2,
            Status::NothingToChange => 3,
            Status::NotPackaged => 4,
            Status::NotPermitted => 5,
            Status::TimedOut => 6,
            Status::Interrupted => 130,
        })
    }
}
