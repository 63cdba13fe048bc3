//! Early ends of deployments.

use formwork_project::Failure;
use formwork_run::Status;

/// An early end of a deployment.
#[derive(Debug)]
pub enum Exit {
    /// Everything is printed.
    With(Status),
    /// Everything is printed for people; the outcome is for programs.
    Stopped(Box<formwork_deploy::Outcome>, Status),
    /// The arguments or files have errors.
    Usage(String),
}

impl From<Failure> for Exit {
    fn from(why: Failure) -> Exit {
        Exit::Usage(why.into())
    }
}

impl From<String> for Exit {
    fn from(why: String) -> Exit {
        Exit::Usage(why)
    }
}
