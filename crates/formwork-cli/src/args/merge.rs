//! Arguments of `merge`.

use std::path::PathBuf;

use clap::Args;
use formwork_run::console::ReportArgs;

#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The files of the template, in their order, or the name of a template of formwork.toml.
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write to this file instead of standard output. Relative paths in the template are rewritten for its directory,
    /// on standard output for the working directory.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
