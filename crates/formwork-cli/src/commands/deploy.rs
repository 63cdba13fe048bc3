//! `formwork deploy` (reference/deploy.md#steps).

#[cfg(feature = "aws")]
pub(super) mod body;
#[cfg(feature = "aws")]
mod capabilities;
#[cfg(feature = "aws")]
mod changes;
#[cfg(feature = "aws")]
mod choices;
#[cfg(feature = "aws")]
mod confirm;
#[cfg(feature = "aws")]
mod ending;
#[cfg(feature = "aws")]
mod events;
#[cfg(feature = "aws")]
mod execution;
#[cfg(feature = "aws")]
mod local;
#[cfg(feature = "aws")]
mod outcome;
#[cfg(feature = "aws")]
mod packaging;
#[cfg(feature = "aws")]
mod parameters;
#[cfg(feature = "aws")]
pub(super) mod places;
#[cfg(feature = "aws")]
pub(super) mod refusal;
#[cfg(feature = "aws")]
mod run;
#[cfg(feature = "aws")]
mod secrets;
#[cfg(feature = "aws")]
mod stack;
#[cfg(feature = "aws")]
pub(super) mod voice;

use crate::Status;
use crate::args::DeployArgs;
use crate::failure::Failure;

/// Without a network there is nothing to deploy to.
#[cfg(not(feature = "aws"))]
pub(crate) fn run(_: &DeployArgs) -> Result<Status, Failure> {
    Err(crate::live::NO_NETWORK.into())
}

#[cfg(feature = "aws")]
pub(crate) fn run(args: &DeployArgs) -> Result<Status, Failure> {
    run::run(args)
}

/// How a part of a deployment ends before the deployment is done.
#[cfg(feature = "aws")]
enum End {
    /// Everything was said.
    With(Status),
    /// Everything was said to people; programs are told what the deployment came to.
    Stopped(Box<outcome::Outcome>, Status),
    /// The arguments or files are at fault.
    Usage(String),
}

#[cfg(feature = "aws")]
impl From<String> for End {
    fn from(why: String) -> End {
        End::Usage(why)
    }
}
