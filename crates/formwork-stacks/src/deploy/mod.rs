//! Deployments (reference/deploy.md#steps): [`Wanted`] merges the choices with the settings of samconfig.toml, and
//! [`run`], [`run_template`] and [`validate_template`] perform the steps.

mod choices;
mod deployment;
mod execute;
mod express_choice;
mod guided;
mod values;
mod wanted;

pub use choices::{ChangeSetChoices, ChangeSetType, DeployChoices, RunChoices, StackChoices};
pub use deployment::{run, run_template, validate_template};
pub use wanted::{Wanted, section};
