//! Arguments of `diagnose` (reference/around.md#diagnose).

use clap::Args;
use formwork_run::console::{ReportArgs, ReportFormat};

use crate::around::{LinesArgs, StackArgs};

/// The arguments of `diagnose`.
#[derive(Clone, Debug, Args)]
pub struct DiagnoseArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// Print the result in this format: diagnostics, or one JSON object [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The template whose lines are shown, and the account of the stack.
    #[command(flatten)]
    pub lines: LinesArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}
