//! How a part of a deployment ends before the deployment is done.

use formwork_project::Failure;
use formwork_run::Status;

/// How a part of a deployment ends before the deployment is done.
#[derive(Debug)]
pub enum Exit {
    /// Everything is printed.
    With(Status),
    /// Everything is printed for people; programs get what the deployment came to.
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
