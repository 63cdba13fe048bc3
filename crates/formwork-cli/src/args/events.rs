//! Arguments of `events` (reference/around.md#events).

use clap::Args;

use super::stack::{LinesArgs, StackArgs};
use super::{ReportArgs, ReportFormatArg};

#[derive(Debug, Args)]
pub(crate) struct EventsArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Print every event that CloudFormation keeps, not only those of the last operation.
    #[arg(long, conflicts_with_all = ["since", "operation"])]
    pub(crate) all: bool,
    /// Print the events since this time: `10m`, `2h ago`, `yesterday` or `2026-01-31 10:00:00`.
    #[arg(long, value_name = "TIME", conflicts_with = "operation")]
    pub(crate) since: Option<String>,
    /// Print the events of the operation with this ID.
    #[arg(long, value_name = "ID", conflicts_with = "follow")]
    pub(crate) operation: Option<String>,
    /// Print the events of this resource only, by logical ID; in a nested stack `Stack/ID`.
    #[arg(long, value_name = "LOGICAL_ID")]
    pub(crate) resource: Option<String>,
    /// Print failures only, with those of early validation and hooks.
    #[arg(long)]
    pub(crate) failed: bool,
    /// Follow the operation to its end, with status 1 if it fails.
    #[arg(short, long)]
    pub(crate) follow: bool,
    /// Stop following after this many minutes, with status 6.
    #[arg(long, allow_negative_numbers = true, value_name = "MINUTES")]
    pub(crate) max_wait_duration: Option<f64>,
    /// Poll stack events every this many seconds.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = 2.0)]
    pub(crate) poll_delay: f64,
    /// Print the events in this format: lines, or one JSON object per line [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) lines: LinesArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
