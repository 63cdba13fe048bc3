//! `formwork delete` (reference/deploy.md#delete).

use crate::Status;
use crate::args::DeleteArgs;
use crate::failure::Failure;

#[cfg(not(feature = "aws"))]
pub(crate) fn run(_: &DeleteArgs) -> Result<Status, Failure> {
    Err(crate::live::NO_NETWORK.into())
}

#[cfg(feature = "aws")]
pub(crate) fn run(args: &DeleteArgs) -> Result<Status, Failure> {
    formwork_stacks::delete::run(&args.into())
}
