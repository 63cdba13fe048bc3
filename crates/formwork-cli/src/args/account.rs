//! Arguments of `account`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use formwork::Format;
use formwork_run::args::{InputArgs, words};
use formwork_run::console::ReportArgs;

use super::output::FORMATS;

#[derive(Debug, Subcommand)]
pub(crate) enum AccountCommand {
    /// Call AWS, read-only, and write an account snapshot for `--account`.
    ///
    /// With a template, captures what its parameters and rules need. Without one, captures every type whose values can
    /// be listed.
    Snapshot(AccountSnapshotArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AccountSnapshotArgs {
    /// Capture what this template needs; `-` for standard input.
    pub(crate) template: Option<PathBuf>,
    /// Capture these types, separated by commas, such as `AWS::EC2::VPC::Id`; repeatable.
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub(crate) types: Vec<String>,
    /// Capture the stored values of these SSM parameters.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) ssm: Vec<String>,
    /// Capture the exports of stacks.
    #[arg(long)]
    pub(crate) exports: bool,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the snapshot in this format [default: that of the name of the file, else json].
    #[arg(long, value_name = "FORMAT", value_parser = words(&FORMATS))]
    pub(crate) format: Option<Format>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
