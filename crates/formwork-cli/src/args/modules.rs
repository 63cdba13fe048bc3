//! Arguments of `modules`.

#[cfg(feature = "aws")]
use std::path::PathBuf;

#[cfg(feature = "aws")]
use clap::Args;
use clap::Subcommand;
#[cfg(feature = "aws")]
use formwork_run::args::InputArgs;
#[cfg(feature = "aws")]
use formwork_run::console::ReportArgs;

use super::FileArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum ModulesCommand {
    /// Print the interface of a module as Markdown: its parameters, outputs and resources.
    Doc(FileArgs),
    /// Store the remote modules of templates in `formwork_modules/`, so that the project needs no network and no cache.
    #[cfg(feature = "aws")]
    Vendor(ModulesSourcesArgs),
    /// Fetch the remote modules of templates again, and pin them in `formwork.lock`.
    #[cfg(feature = "aws")]
    Update(ModulesSourcesArgs),
}

/// What commands about remote modules take.
#[cfg(feature = "aws")]
#[derive(Debug, Args)]
pub(crate) struct ModulesSourcesArgs {
    /// The templates.
    #[arg(required = true)]
    pub(crate) template: Vec<PathBuf>,
    /// Remove sources that none of the templates uses.
    #[arg(long)]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
