//! Deployments (reference/deploy.md#steps): [`Wanted`] merges the arguments with the settings of samconfig.toml, and
//! [`run`], [`run_template`] and [`validate_template`] perform the steps.

mod args;
mod execute;
mod express_choice;
mod guided;
mod run;
mod values;
mod wanted;

pub use args::{ChangeSetArgs, ChangeSetType, DeployArgs, DeploymentMode, RunArgs, StackSettingsArgs};
pub use run::{run, run_template, validate_template};
pub use wanted::{Wanted, section};
