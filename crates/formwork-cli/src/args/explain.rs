//! Arguments of `explain`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use formwork_run::args::{InputArgs, SchemaArgs};
use formwork_run::console::{ReportArgs, ReportFormat};

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The template, or `-` for standard input [default: template.yaml, template.yml or template.json].
    pub(crate) template: Option<PathBuf>,
    /// Explain this node: a path such as `Resources.Bucket.Properties.Tags.0`, a JSON pointer, or a logical ID.
    pub(crate) path: Option<String>,
    /// Explain every node that a line of a file generates, or the node at a column.
    #[arg(long, value_name = "FILE:LINE[:COLUMN]", conflicts_with = "path")]
    pub(crate) at: Option<String>,
    /// Explain the output of this command.
    #[arg(long, value_name = "STAGE", default_value = "resolve")]
    pub(crate) stage: StageArg,
    /// Print the result in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormat>,
    /// Check that every origin of the output holds.
    #[arg(long, hide = true, conflicts_with_all = ["path", "at"])]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StageArg {
    Resolve,
    Expand,
}
