//! Arguments of `init` (reference/init.md#options).

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The project template: functions, modules or pipeline.
    ///
    /// On a terminal it is asked for when it is not named.
    #[arg(short, long, value_name = "NAME", alias = "app-template")]
    pub(crate) template: Option<String>,
    /// The directory of the project, which is created or empty; by default that of the project template's name.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) name: Option<PathBuf>,
    /// List the project templates.
    #[arg(long, conflicts_with_all = ["template", "name"])]
    pub(crate) list: bool,
}
