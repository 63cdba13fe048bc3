//! Implements `deploy`: of one stack, or of all.

use formwork_project::Failure;
use formwork_run::Status;

use super::{DeployCommandArgs, all, deployment};

/// Deploys with the arguments.
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
pub fn run(args: &DeployCommandArgs) -> Result<Status, Failure> {
    if args.all.all { all::run(&args.one, &args.all) } else { deployment::run(&args.one) }
}
