//! Arguments of `diagnose` (reference/around.md#diagnose).

use clap::Args;

use super::stack::{LinesArgs, StackArgs};
use super::{ReportArgs, ReportFormatArg};

#[derive(Debug, Args)]
pub(crate) struct DiagnoseArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Print the result in this format: diagnostics, or one JSON object [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) lines: LinesArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
