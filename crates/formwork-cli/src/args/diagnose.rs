//! Arguments of `diagnose` (reference/around.md#diagnose).

use std::path::PathBuf;

use clap::Args;

use super::stack::{ExpansionArgs, StackArgs};
use super::{AccountArgs, ReportArgs, ReportFormatArg};

#[derive(Debug, Args)]
pub(crate) struct DiagnoseArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Print the result in this format: diagnostics, or one JSON object [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// Show lines of this template [default: the built template, else template.yaml, template.yml or template.json].
    #[arg(short, long, visible_alias = "template", value_name = "FILE", help_heading = "Inputs")]
    pub(crate) template_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
