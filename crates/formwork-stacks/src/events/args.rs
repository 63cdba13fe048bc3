//! Arguments of `events` (reference/around.md#events).

use clap::Args;
use formwork_run::console::{ReportArgs, ReportFormat};

use crate::around::{LinesArgs, StackArgs};

/// The arguments of `events`.
#[derive(Clone, Debug, Args)]
pub struct EventsArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// Print every event that CloudFormation keeps, not only those of the last operation.
    #[arg(long, conflicts_with_all = ["since", "operation"])]
    pub all: bool,
    /// Print the events since this time: `10m`, `2h ago`, `yesterday` or `2026-01-31 10:00:00`.
    #[arg(long, value_name = "TIME", conflicts_with = "operation")]
    pub since: Option<String>,
    /// Print the events of the operation with this ID.
    #[arg(long, value_name = "ID", conflicts_with = "follow")]
    pub operation: Option<String>,
    /// Print the events of this resource only, by logical ID; in a nested stack `Stack/ID`.
    #[arg(long, value_name = "LOGICAL_ID")]
    pub resource: Option<String>,
    /// Print failures only, with those of early validation and hooks.
    #[arg(long)]
    pub failed: bool,
    /// Follow the operation to its end, with status 1 if it fails.
    #[arg(short, long)]
    pub follow: bool,
    /// Stop following after this many minutes, with status 6.
    #[arg(long, allow_negative_numbers = true, value_name = "MINUTES")]
    pub max_wait_duration: Option<f64>,
    /// Poll stack events every this many seconds.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = 2.0)]
    pub poll_delay: f64,
    /// Print the events in this format: lines, or one JSON object per line [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The template whose lines are shown, and the account of the stack.
    #[command(flatten)]
    pub lines: LinesArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}
