//! Arguments of `resolve`.

use std::path::PathBuf;

use clap::Args;

use formwork_run::args::InputArgs;
use formwork_run::console::ReportArgs;

use super::OutputArgs;

#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// Templates, directories and glob patterns, or `-` for standard input [default: template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Vec<PathBuf>,
    /// Pass over files and directories of these names or paths, unless they are named. Separated by commas; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
