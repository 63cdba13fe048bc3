//! Arguments of `logs` (reference/around.md#logs).

use clap::{Arg, Args};
use formwork_run::console::{ReportArgs, ReportFormat};

use crate::around::{LinesArgs, StackArgs};

/// The arguments of `logs`.
#[derive(Clone, Debug, Args)]
#[command(mut_args(about_loops))]
pub struct LogsArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// Print the logs of this resource, by logical ID, `Stack/ID` in a nested stack, or the functions of this loop;
    /// repeatable [default: all functions].
    #[arg(short, long, value_name = "ID")]
    pub name: Vec<String>,
    /// Wait for new lines, until Ctrl-C.
    #[arg(short, long, conflicts_with = "end_time")]
    pub tail: bool,
    /// Print lines from this time on, such as `5mins ago`, `yesterday` or `2026-01-31 10:00:00`.
    #[arg(short, long, value_name = "TIME", default_value = "10m ago")]
    pub start_time: String,
    /// Print lines before this time.
    #[arg(short, long, value_name = "TIME")]
    pub end_time: Option<String>,
    /// Print lines that match this filter pattern.
    #[arg(long, value_name = "PATTERN")]
    pub filter: Option<String>,
    /// Print the lines of this log group, too; needs no stack. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub cw_log_group: Vec<String>,
    /// Print lines in this format: text, or one JSON object per line [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The template whose lines are shown, and the account of the stack.
    #[command(flatten)]
    pub lines: LinesArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The option for the template, in which loops are found; `-t` is another one.
fn about_loops(arg: Arg) -> Arg {
    if arg.get_id() != "template_file" {
        return arg;
    }
    arg.short(None::<char>).help(
        "Find loops in this template [default: the built template, else template.yaml, template.yml or template.json]",
    )
}
