//! Deployments (reference/deploy.md#steps): [`Wanted`] merges the arguments with the settings of samconfig.toml, and
//! [`run`], [`run_template`] and [`validate_template`] perform the steps.

mod all;
mod args;
mod command;
mod deployment;
mod execute;
mod express_choice;
mod guided;
mod values;
mod wanted;

pub use args::{
    AllArgs, ChangeSetArgs, ChangeSetType, DeployArgs, DeployCommandArgs, DeploymentMode, RunArgs, StackSettingsArgs,
};
pub use command::run;
pub use deployment::{run_template, validate_template};
pub use wanted::{Wanted, section};
