//! A deployment from its words to its end (reference/deploy.md#steps): the choices with the settings of samconfig.toml are
//! what is [`Wanted`], and [`run`], [`run_template`] and [`validate_template`] take the steps of it.

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
