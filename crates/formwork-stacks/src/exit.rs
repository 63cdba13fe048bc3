//! Early ends of commands.

use formwork_project::Failure;
use formwork_run::Status;

/// An early end of a command.
#[derive(Debug)]
pub enum Exit {
    /// Everything is printed.
    Status(Status),
    /// Everything is printed for people; the outcome of the deployment is for programs.
    Stopped(Box<formwork_deploy::Outcome>, Status),
    /// The arguments are invalid, or a file cannot be read or written.
    Failure(Box<Failure>),
}

impl Exit {
    /// Converts a result into that of the command.
    ///
    /// # Errors
    /// The failure.
    pub fn into_status(result: Result<Status, Exit>) -> Result<Status, Failure> {
        match result {
            Ok(status) | Err(Exit::Status(status) | Exit::Stopped(_, status)) => Ok(status),
            Err(Exit::Failure(failure)) => Err(*failure),
        }
    }
}

impl From<Status> for Exit {
    fn from(status: Status) -> Exit {
        Exit::Status(status)
    }
}

impl From<Failure> for Exit {
    fn from(failure: Failure) -> Exit {
        Exit::Failure(Box::new(failure))
    }
}

impl From<String> for Exit {
    fn from(why: String) -> Exit {
        Failure::from(why).into()
    }
}
