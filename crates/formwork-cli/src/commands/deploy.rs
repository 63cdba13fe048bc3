//! `formwork deploy` (reference/deploy.md#steps).

use crate::Status;
use crate::args::{DeployArgs, ValidateArgs};
use crate::failure::Failure;

#[cfg(not(feature = "aws"))]
pub(crate) fn run(_: &DeployArgs) -> Result<Status, Failure> {
    Err(crate::live::NO_NETWORK.into())
}

#[cfg(not(feature = "aws"))]
pub(super) fn validate(_: &ValidateArgs) -> Result<Status, Failure> {
    Err(crate::live::NO_NETWORK.into())
}

/// Reports the findings of early validation and hooks about a template (reference/deploy.md#validate).
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
#[cfg(feature = "aws")]
pub(super) fn validate(args: &ValidateArgs) -> Result<Status, Failure> {
    if args.template.len() > 1 {
        return Err("--change-set validates one template: name one".into());
    }
    let deployment = args.as_deployment();
    let template = crate::default_template::named_or_built(deployment.template.as_ref())?;
    formwork_stacks::deploy::validate_template(&deployment, &template)
}

#[cfg(feature = "aws")]
pub(crate) fn run(args: &DeployArgs) -> Result<Status, Failure> {
    formwork_stacks::deploy::run(&args.into())
}
