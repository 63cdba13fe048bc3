//! Arguments of `stack snapshot` (reference/plan.md#stack).

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::stack::StackArgs;
use super::{AccountArgs, ReportArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum StackCommand {
    /// Record a deployed stack, for `formwork plan --stack-snapshot` without an account.
    ///
    /// Calls AWS, read-only: the templates, parameters and resources of the stack and of those nested in it.
    Snapshot(Box<StackSnapshotArgs>),
}

#[derive(Debug, Args)]
pub(crate) struct StackSnapshotArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
