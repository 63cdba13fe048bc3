//! Arguments of `logs` (reference/around.md#logs).

use std::path::PathBuf;

use clap::Args;

use super::stack::{ExpansionArgs, StackArgs};
use super::{AccountArgs, ReportArgs, ReportFormatArg};

#[derive(Debug, Args)]
pub(crate) struct LogsArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Print the logs of this resource, by logical ID, `Stack/ID` in a nested stack, or the functions of this loop;
    /// repeatable [default: all functions].
    #[arg(short, long, value_name = "ID")]
    pub(crate) name: Vec<String>,
    /// Wait for new lines, until Ctrl-C.
    #[arg(short, long, conflicts_with = "end_time")]
    pub(crate) tail: bool,
    /// Print lines from this time on, such as `5mins ago`, `yesterday` or `2026-01-31 10:00:00`.
    #[arg(short, long, value_name = "TIME", default_value = "10m ago")]
    pub(crate) start_time: String,
    /// Print lines before this time.
    #[arg(short, long, value_name = "TIME")]
    pub(crate) end_time: Option<String>,
    /// Print lines that match this filter pattern.
    #[arg(long, value_name = "PATTERN")]
    pub(crate) filter: Option<String>,
    /// Print the lines of this log group, too; needs no stack. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub(crate) cw_log_group: Vec<String>,
    /// Print lines in this format: text, or one JSON object per line [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// Find loops in this template [default: the built template, else template.yaml, template.yml or template.json].
    #[arg(long, visible_alias = "template", value_name = "FILE", help_heading = "Inputs")]
    pub(crate) template_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
