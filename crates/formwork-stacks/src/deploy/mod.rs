//! A deployment from its words to its end (reference/deploy.md#steps): the arguments with the settings of samconfig.toml are
//! what is [`Wanted`], and [`run`], [`run_template`] and [`validate_template`] take the steps of it.

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
