//! Arguments of `expand`.

use std::path::PathBuf;

use clap::Args;
use formwork::Values;
use formwork_run::args::{InputArgs, words};
use formwork_run::console::ReportArgs;

use super::OutputArgs;

const VALUES: [(&[&str], Values); 3] = [(&["keep"], Values::Keep), (&["pin"], Values::Pin), (&["all"], Values::All)];

#[derive(Debug, Args)]
pub(crate) struct ExpandArgs {
    /// Templates, directories and glob patterns, or `-` for standard input [default: template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Vec<PathBuf>,
    /// Evaluate as little as possible (`keep`), also what plain CloudFormation has no function for (`pin`), or everything
    /// that the known values determine, as in CloudFormation's processed template (`all`).
    #[arg(long, value_name = "HOW", default_value = "keep", value_parser = words(&VALUES))]
    pub(crate) values: Values,
    /// Take all files as one template, in their order.
    #[arg(long)]
    pub(crate) merge: bool,
    /// Pass over files that are not templates, as in a directory. For hooks, which pass every file of a commit.
    #[arg(long)]
    pub(crate) only_templates: bool,
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
