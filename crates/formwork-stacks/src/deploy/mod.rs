//! Deployments (reference/deploy.md#steps): [`Wanted`] merges the arguments with the settings of samconfig.toml, and
//! [`run`], [`run_template`] and [`validate_template`] perform the steps.

mod args;
mod deployment;
mod execute;
mod express_choice;
mod guided;
mod values;
mod wanted;

pub use args::{ChangeSetArgs, ChangeSetType, DeployArgs, DeploymentMode, RunArgs, StackSettingsArgs};
pub use deployment::{run, run_template, validate_template};
pub use wanted::{Wanted, section};
