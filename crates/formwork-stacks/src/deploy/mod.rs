//! Deployments (reference/deploy.md#steps): [`Wanted`] merges the choices with the settings of samconfig.toml, and
//! [`run`], [`run_template`] and [`validate_template`] perform the steps.

mod choices;
mod execute;
mod express_choice;
mod guided;
mod run;
mod values;
mod wanted;

pub use choices::{ChangeSetChoices, ChangeSetType, DeployChoices, RunChoices, StackChoices};
pub use run::{run, run_template, validate_template};
pub use wanted::{Wanted, section};
