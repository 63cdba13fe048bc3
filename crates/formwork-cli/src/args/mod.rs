//! Arguments of the command line (reference/command-line.md).

mod accepted;
mod account;
mod build;
mod completions;
mod config;
mod defaults;
mod expand;
mod explain;
mod file;
#[cfg(test)]
mod file_schema;
mod fmt;
mod graph;
mod groups;
mod help;
mod init;
mod lsp;
mod manual;
mod map_back;
mod merge;
mod migrate;
mod modules;
mod output;
mod package;
mod plan;
mod resolve;
mod rules;
mod sam_ignored;
mod sam_words;
mod schemas;
mod standard_output;
mod validate;

use clap::{CommandFactory as _, Parser, Subcommand};
#[cfg(feature = "local")]
use formwork_local::commands::LocalCommand;
use formwork_run::check::CheckArgs;
use formwork_run::console::ReportArgs;
#[cfg(feature = "aws")]
use formwork_stacks::{
    delete::DeleteArgs, deploy::DeployCommandArgs, diagnose::DiagnoseArgs, events::EventsArgs, list::ListCommand,
    logs::LogsArgs, outputs::OutputsArgs, refactor::RefactorArgs, stack_snapshot::StackCommand,
};
#[cfg(feature = "aws")]
use formwork_sync::SyncArgs;

pub(crate) use accepted::{accepting, takes_path, with_template_first};
pub(crate) use account::{AccountCommand, AccountSnapshotArgs};
pub(crate) use build::BuildArgs;
pub(crate) use completions::{CompletionsArgs, ManArgs};
pub(crate) use config::{ConfigCommand, ConfigShowArgs};
pub(crate) use defaults::{check, setting, with_defaults};
pub(crate) use expand::ExpandArgs;
pub(crate) use explain::{ExplainArgs, StageArg};
pub(crate) use file::FileArgs;
pub(crate) use fmt::FmtArgs;
pub(crate) use graph::{GraphArgs, GraphFormatArg, WithArg};
pub(crate) use init::InitArgs;
pub(crate) use lsp::LspArgs;
pub(crate) use manual::Manual;
pub(crate) use map_back::MapBackArgs;
pub(crate) use merge::MergeArgs;
pub(crate) use migrate::MigrateCommand;
pub(crate) use modules::ModulesCommand;
#[cfg(feature = "aws")]
pub(crate) use modules::ModulesSourcesArgs;
pub(crate) use output::{OutputArgs, format_of_file};
pub(crate) use package::PackageArgs;
pub(crate) use plan::{GateArg, PlanArgs, PlanFormatArg};
pub(crate) use resolve::ResolveArgs;
pub(crate) use rules::{RulesCheckArgs, RulesCommand, RulesInputArgs, RulesSearchArgs};
pub(crate) use sam_words::as_own;
pub(crate) use schemas::SchemasArgs;
pub(crate) use standard_output::without_dash;
pub(crate) use validate::ValidateArgs;

/// CloudFormation loops, modules and checks on your machine.
#[derive(Debug, Parser)]
#[command(name = "formwork", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The description of the program: its commands and options, with what they accept besides.
pub(crate) fn program() -> clap::Command {
    // As clap's own lines: without a terminal, `COLUMNS` is the width.
    let columns = || std::env::var("COLUMNS").ok()?.parse().ok();
    let width = crate::terminal::width_of(&std::io::stdout()).or_else(columns);
    groups::grouped(help::with_helps(accepting(Cli::command())), width)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a project from one of the project templates.
    ///
    /// Without `--template`, asks for one on a terminal.
    Init(InitArgs),
    /// Expand loops, modules and language extensions into plain CloudFormation.
    ///
    /// References to parameters stay references, so you can deploy the output with other values.
    Expand(ExpandArgs),
    /// Print what would be deployed with the values you pass.
    ///
    /// Evaluates conditions and functions, and removes resources and outputs whose condition is false. Values that are
    /// known only at deployment stay intrinsic functions.
    Resolve(ResolveArgs),
    /// Print several files as one template.
    ///
    /// Unites their sections. Keeps the comments, quotes and short tags of each entry.
    Merge(MergeArgs),
    /// Report every problem of templates.
    Check(CheckArgs),
    /// Format templates: their white space, and nothing else.
    ///
    /// Keeps data, comments, quotes, and the style that most of each file has. Rewrites the files in place.
    Fmt(FmtArgs),
    /// Run the language server for editors, on standard input and output.
    ///
    /// Shows diagnostics, values, names, references and the expansion of loops and modules while you type. Opens no network
    /// connection, starts no program and writes no file.
    Lsp(LspArgs),
    /// Evaluate the Rules section, or find values that satisfy and violate it.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Show where a node of the output comes from, and why its value is not known.
    Explain(ExplainArgs),
    /// Print what a change does to a stack.
    ///
    /// Compares two templates, two sets of values, a Git revision or a recorded stack with the template, without an
    /// account: what is replaced, deleted, loses data or may do more than before, at the line that changes it.
    Plan(Box<PlanArgs>),
    /// Print a plan, with status 1 if anything differs.
    Diff(Box<PlanArgs>),
    /// Draw the dependencies of the resources of a template.
    ///
    /// Shows the expanded template: loops, uses of modules and nested stacks are frames around their resources.
    Graph(Box<GraphArgs>),
    /// Build the functions, layers and images of a template with the tools on the PATH.
    ///
    /// Writes the artifacts and the built template to .formwork/build. `package`, `deploy`, `sync` and `local` use the
    /// built template by default.
    Build(Box<BuildArgs>),
    /// Upload the local files that a template names, and print the packaged template.
    ///
    /// Keeps loops, comments, order and style.
    Package(PackageArgs),
    /// Deploy a template with a change set, and follow the stack events.
    ///
    /// Checks the template and the parameters before it calls AWS.
    #[cfg(feature = "aws")]
    Deploy(Box<DeployCommandArgs>),
    /// Delete a stack: list its resources, ask for confirmation, and follow the stack events.
    #[cfg(feature = "aws")]
    Delete(Box<DeleteArgs>),
    /// Print why a stack failed: the cause at its line, what failed later, and what to do.
    ///
    /// Of a stack that is healthy, prints why its newest change set failed.
    #[cfg(feature = "aws")]
    Diagnose(Box<DiagnoseArgs>),
    /// Print the events of the last operation of a stack, with lines of its template.
    ///
    /// Includes nested stacks. With --follow, follows an operation that is in progress to its end.
    #[cfg(feature = "aws")]
    Events(Box<EventsArgs>),
    /// List stacks, or what is in a stack.
    #[cfg(feature = "aws")]
    #[command(subcommand)]
    List(ListCommand),
    /// Print the logs of the functions of a stack, of some of them, or of other resources.
    #[cfg(feature = "aws")]
    Logs(Box<LogsArgs>),
    /// Print the outputs of a deployed stack.
    #[cfg(feature = "aws")]
    Outputs(OutputsArgs),
    /// Rename or move deployed resources without replacing them.
    ///
    /// Prints what it would do and asks before it executes anything.
    #[cfg(feature = "aws")]
    Refactor(Box<RefactorArgs>),
    /// Record a deployed stack, for plans without an account.
    #[cfg(feature = "aws")]
    #[command(subcommand)]
    Stack(StackCommand),
    /// Deploy a stack, and push edited code to it within seconds.
    ///
    /// With --watch, runs until Ctrl-C: pushes edited code to its resource, and deploys an edited template.
    #[cfg(feature = "aws")]
    Sync(Box<SyncArgs>),
    /// Report every problem of templates; with `--live`, also call `ValidateTemplate`.
    Validate(ValidateArgs),
    /// Run the functions and APIs of a template as local processes, without Docker.
    #[cfg(feature = "local")]
    #[command(subcommand)]
    Local(LocalCommand),
    /// Capture the account data that rules and parameter types need.
    #[command(subcommand)]
    Account(AccountCommand),
    /// Manage modules: vendor, update, document.
    #[command(subcommand)]
    Modules(ModulesCommand),
    /// Convert a template of another tool to the module language.
    #[command(subcommand)]
    Migrate(MigrateCommand),
    /// Show the configuration that is in force.
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print what is known of resource types.
    Schemas(SchemasArgs),
    /// Print a report of another tool with the authored lines.
    ///
    /// Reads SARIF, the JSON of cfn-lint, stack events, or text with file names and lines, from standard input.
    MapBack(MapBackArgs),
    /// Print a completion script for a shell.
    Completions(CompletionsArgs),
    /// Print the manual page.
    Man(ManArgs),
    /// Print the version of the program.
    Version,
}

impl Command {
    /// How the command reports; `None` for those that report nothing.
    pub(crate) fn report(&self) -> Option<&ReportArgs> {
        match self {
            Command::Expand(args) => Some(&args.report),
            Command::Resolve(args) => Some(&args.report),
            Command::Merge(args) => Some(&args.report),
            Command::Check(args) => Some(&args.report),
            Command::Fmt(args) => Some(&args.report),
            Command::Rules(RulesCommand::Check(args)) => Some(&args.rules.report),
            Command::Rules(RulesCommand::Solve(args) | RulesCommand::Table(args)) => Some(&args.rules.report),
            Command::Explain(args) => Some(&args.report),
            Command::Plan(args) | Command::Diff(args) => Some(&args.report),
            Command::Graph(args) => Some(&args.report),
            Command::Build(args) => Some(&args.report),
            Command::Package(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Deploy(args) => Some(&args.one.report),
            #[cfg(feature = "aws")]
            Command::Delete(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Diagnose(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Events(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::List(command) => Some(command.report()),
            #[cfg(feature = "aws")]
            Command::Logs(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Outputs(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Refactor(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Stack(StackCommand::Snapshot(args)) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Sync(args) => Some(&args.deploy.report),
            Command::Validate(args) => Some(&args.report),
            #[cfg(feature = "local")]
            Command::Local(command) => Some(command.report()),
            Command::Account(AccountCommand::Snapshot(args)) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Modules(ModulesCommand::Vendor(args) | ModulesCommand::Update(args)) => Some(&args.report),
            Command::Init(_)
            | Command::Modules(ModulesCommand::Doc(_))
            | Command::Migrate(_)
            | Command::Config(_)
            | Command::Schemas(_)
            | Command::Lsp(_)
            | Command::MapBack(_)
            | Command::Completions(_)
            | Command::Man(_)
            | Command::Version => None,
        }
    }
}
