//! Arguments of `list` (reference/around.md#list).

#[cfg(feature = "local")]
use std::path::PathBuf;

use clap::{Args, Subcommand};

#[cfg(feature = "local")]
use super::stack::ExpansionArgs;
use super::stack::{LinesArgs, StackArgs};
use super::{AccountArgs, ReportArgs, ReportFormatArg};

#[derive(Debug, Subcommand)]
pub(crate) enum ListCommand {
    /// List the stacks of the account and Region.
    Stacks(ListStacksArgs),
    /// List the resources of a stack, with those of nested stacks; without a stack, those of the expanded template.
    Resources(ListResourcesArgs),
    /// List the endpoints of the functions and APIs of a stack, with the methods of each path of the template.
    #[cfg(feature = "local")]
    Endpoints(ListEndpointsArgs),
    /// List the outputs of a stack, with their descriptions.
    StackOutputs(ListStackOutputsArgs),
}

impl ListCommand {
    /// How the command reports.
    pub(crate) fn report(&self) -> &ReportArgs {
        match self {
            ListCommand::Stacks(args) => &args.report,
            ListCommand::Resources(args) => &args.report,
            #[cfg(feature = "local")]
            ListCommand::Endpoints(args) => &args.report,
            ListCommand::StackOutputs(args) => &args.report,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ListStacksArgs {
    /// List deleted stacks, too.
    #[arg(long)]
    pub(crate) all: bool,
    /// List nested stacks, too.
    #[arg(long)]
    pub(crate) nested: bool,
    /// Print the list in this format: a table, or JSON [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ListResourcesArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Print the list in this format: a table, or JSON [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) lines: LinesArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[cfg(feature = "local")]
#[derive(Debug, Args)]
pub(crate) struct ListEndpointsArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Print the list in this format: a table, or JSON [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// Show the methods of this template [default: the built template, else template.yaml, template.yml or template.json].
    #[arg(short, long, visible_alias = "template", value_name = "FILE", help_heading = "Inputs")]
    pub(crate) template_file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) expansion: ExpansionArgs,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ListStackOutputsArgs {
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    /// Print the list in this format: a table, or JSON [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) account: AccountArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
