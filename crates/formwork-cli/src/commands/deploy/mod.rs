//! `formwork deploy` (reference/deploy.md#steps).

#[cfg(feature = "aws")]
mod capabilities;
#[cfg(feature = "aws")]
mod changes;
#[cfg(feature = "aws")]
pub(super) mod choices;
#[cfg(feature = "aws")]
pub(super) mod confirm;
#[cfg(feature = "aws")]
mod drift;
#[cfg(feature = "aws")]
mod ending;
#[cfg(feature = "aws")]
pub(super) mod examined;
#[cfg(feature = "aws")]
mod execute;
#[cfg(feature = "aws")]
pub(super) mod express;
#[cfg(feature = "aws")]
pub(super) mod finding_counts;
#[cfg(feature = "aws")]
pub(super) mod findings;
#[cfg(feature = "aws")]
mod guided;
#[cfg(feature = "aws")]
pub(super) mod hooks;
#[cfg(feature = "aws")]
mod imports;
#[cfg(feature = "aws")]
pub(super) mod layout;
#[cfg(feature = "aws")]
pub(super) mod local;
#[cfg(feature = "aws")]
pub(super) mod observer;
#[cfg(feature = "aws")]
mod packaging;
#[cfg(feature = "aws")]
pub(super) mod places;
#[cfg(feature = "aws")]
mod printed_end;
#[cfg(feature = "aws")]
pub(super) mod refusal;
#[cfg(feature = "aws")]
mod renames;
#[cfg(feature = "aws")]
pub(super) mod reporter;
#[cfg(feature = "aws")]
pub(super) mod retries;
#[cfg(feature = "aws")]
mod rollback_configuration;
#[cfg(feature = "aws")]
mod run;
#[cfg(feature = "aws")]
pub(super) mod secrets;
#[cfg(feature = "aws")]
mod stopped;
#[cfg(feature = "aws")]
pub(super) mod summary;
#[cfg(feature = "aws")]
mod values;

use crate::Status;
use crate::args::{DeployArgs, ValidateArgs};
use crate::failure::Failure;

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

/// The account in the ARN of a stack.
#[cfg(feature = "aws")]
pub(super) fn account_of(stack_id: &str) -> Option<&str> {
    let mut parts = stack_id.split(':');
    (parts.next() == Some("arn")).then(|| parts.nth(3)).flatten().filter(|account| !account.is_empty())
}
#[cfg(feature = "aws")]
pub(in crate::commands) use guided::Answers;
#[cfg(feature = "aws")]
pub(in crate::commands) use run::run_template;

/// How a part of a deployment ends before the deployment is done.
#[cfg(feature = "aws")]
enum Exit {
    /// Everything is printed.
    With(Status),
    /// Everything is printed for people; programs get what the deployment came to.
    Stopped(Box<formwork_deploy::Outcome>, Status),
    /// The arguments or files have errors.
    Usage(String),
}

#[cfg(feature = "aws")]
impl From<String> for Exit {
    fn from(why: String) -> Exit {
        Exit::Usage(why)
    }
}
