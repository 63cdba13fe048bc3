//! Arguments of `init` (reference/init.md#options).

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The directory, or a project template.
    #[arg(hide = true, conflicts_with = "name")]
    pub(crate) word: Option<PathBuf>,
    /// Use this project template: functions, modules or pipeline [default: asks on a terminal].
    #[arg(short, long, value_name = "NAME", alias = "app-template")]
    pub(crate) template: Option<String>,
    /// Create the project in this directory, new or empty [default: the name of the project template].
    #[arg(short, long, value_name = "DIR")]
    pub(crate) name: Option<PathBuf>,
    /// List the project templates.
    #[arg(long, conflicts_with_all = ["template", "name", "word"])]
    pub(crate) list: bool,
}
