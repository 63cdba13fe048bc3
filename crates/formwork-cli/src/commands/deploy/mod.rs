//! `formwork deploy` (reference/deploy.md#steps).

#[cfg(feature = "aws")]
pub(super) mod choices;
#[cfg(feature = "aws")]
mod execute;
#[cfg(feature = "aws")]
mod express_choice;
#[cfg(feature = "aws")]
mod guided;
#[cfg(feature = "aws")]
mod run;
#[cfg(feature = "aws")]
mod values;

use crate::Status;
use crate::args::{DeployArgs, ValidateArgs};
use crate::failure::Failure;

#[cfg(feature = "aws")]
pub(in crate::commands) use formwork_stacks::{
    Exit, capabilities, examined, express, imports, local, observer, packaging, places, printed_end, refusal, reporter,
    retries, rollback_configuration, saved_answers, secrets, stopped, summary,
};
#[cfg(feature = "aws")]
pub(in crate::commands) use run::run_template;
#[cfg(feature = "aws")]
pub(in crate::commands) use saved_answers::Answers;

/// Without a network there is nothing to deploy to.
#[cfg(not(feature = "aws"))]
pub(crate) fn run(_: &DeployArgs) -> Result<Status, Failure> {
    Err(crate::live::NO_NETWORK.into())
}

/// Without a network there is nobody to ask.
#[cfg(not(feature = "aws"))]
pub(super) fn validate(_: &ValidateArgs) -> Result<Status, Failure> {
    Err(crate::live::NO_NETWORK.into())
}

/// Asks what early validation and hooks find in a template (reference/deploy.md#validate).
///
/// # Errors
/// When the arguments contradict each other, or a file cannot be read.
#[cfg(feature = "aws")]
pub(super) fn validate(args: &ValidateArgs) -> Result<Status, Failure> {
    if args.template.len() > 1 {
        return Err("--change-set validates one template: name one".into());
    }
    let deployment = args.as_deployment();
    let template = match &deployment.template {
        Some(template) => template.clone(),
        None => crate::default_template::built_or_own()?,
    };
    run::validate_template(&deployment, &template)
}

#[cfg(feature = "aws")]
pub(crate) fn run(args: &DeployArgs) -> Result<Status, Failure> {
    run::run(args)
}
