//! Arguments of the command line (reference/command-line.md).

mod accepted;
mod build;
mod check;
mod completions;
mod config;
mod defaults;
mod delete;
mod deploy;
#[cfg(feature = "aws")]
mod diagnose;
#[cfg(feature = "aws")]
mod events;
#[cfg(test)]
mod file_schema;
mod fmt;
mod graph;
mod help;
mod init;
#[cfg(feature = "aws")]
mod list;
#[cfg(feature = "local")]
mod local;
#[cfg(feature = "aws")]
mod logs;
mod lsp;
mod manual;
mod map_back;
#[cfg(feature = "aws")]
mod outputs;
mod plan;
#[cfg(feature = "aws")]
mod refactor;
mod sam_ignored;
mod sam_words;
mod schemas;
#[cfg(feature = "aws")]
mod stack;
#[cfg(feature = "aws")]
mod stack_snapshot;
mod standard_output;
#[cfg(feature = "aws")]
mod sync;

use std::path::{Path, PathBuf};

use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};

pub(crate) use accepted::{accepting, takes_path, with_template_first};
pub(crate) use build::BuildArgs;
pub(crate) use check::{COMPARISON, CheckArgs, OtherToolArg, SelectionArgs, tool_of_code};
pub(crate) use completions::{CompletionsArgs, ManArgs};
pub(crate) use config::{ConfigCommand, ConfigShowArgs};
pub(crate) use defaults::{check, setting, with_defaults};
pub(crate) use delete::DeleteArgs;
#[cfg(feature = "aws")]
pub(crate) use delete::DeletionModeArg;
#[cfg(feature = "aws")]
pub(crate) use deploy::{ChangeSetArgs, ChangeSetTypeArg, OnFailureArg, RunArgs, StackSettingsArgs};
pub(crate) use deploy::{DeployArgs, ValidateArgs};
#[cfg(feature = "aws")]
pub(crate) use diagnose::DiagnoseArgs;
#[cfg(feature = "aws")]
pub(crate) use events::EventsArgs;
pub(crate) use fmt::FmtArgs;
pub(crate) use graph::{CollapseArg, DirectionArg, GraphArgs, GraphFormatArg, WithArg};
pub(crate) use init::InitArgs;
#[cfg(all(feature = "aws", feature = "local"))]
pub(crate) use list::ListEndpointsArgs;
#[cfg(feature = "aws")]
pub(crate) use list::{ListCommand, ListResourcesArgs, ListStackOutputsArgs, ListStacksArgs};
#[cfg(feature = "local")]
pub(crate) use local::{LocalArgs, LocalCommand, LocalInvokeArgs, LocalServerArgs, LocalStartApiArgs};
#[cfg(feature = "aws")]
pub(crate) use logs::LogsArgs;
pub(crate) use lsp::LspArgs;
pub(crate) use manual::Manual;
pub(crate) use map_back::{MapBackArgs, ReportKindArg};
#[cfg(feature = "aws")]
pub(crate) use outputs::OutputsArgs;
pub(crate) use plan::{GateArg, PlanArgs, PlanFormatArg};
#[cfg(feature = "aws")]
pub(crate) use refactor::RefactorArgs;
pub(crate) use sam_words::as_own;
pub(crate) use schemas::{SchemaArgs, SchemasArgs};
#[cfg(feature = "aws")]
pub(crate) use stack::{AccountArgs, ExpansionArgs, LinesArgs};
#[cfg(feature = "aws")]
pub(crate) use stack_snapshot::{StackCommand, StackSnapshotArgs};
pub(crate) use standard_output::without_dash;

#[cfg(feature = "aws")]
pub(crate) use sync::SyncArgs;

/// CloudFormation loops, modules and checks on your machine.
#[derive(Debug, Parser)]
#[command(name = "formwork", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The description of the program: its commands and options, with what they accept besides.
pub(crate) fn program() -> clap::Command {
    help::with_helps(accepting(Cli::command()))
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
    Deploy(Box<DeployArgs>),
    /// Delete a stack: list its resources, ask for confirmation, and follow the stack events.
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
            Command::Check(args) => Some(&args.report),
            Command::Fmt(args) => Some(&args.report),
            Command::Rules(RulesCommand::Check(args)) => Some(&args.rules.report),
            Command::Rules(RulesCommand::Solve(args) | RulesCommand::Table(args)) => Some(&args.rules.report),
            Command::Explain(args) => Some(&args.report),
            Command::Plan(args) | Command::Diff(args) => Some(&args.report),
            Command::Graph(args) => Some(&args.report),
            Command::Build(args) => Some(&args.report),
            Command::Package(args) => Some(&args.report),
            Command::Deploy(args) => Some(&args.report),
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

#[derive(Debug, Subcommand)]
pub(crate) enum ModulesCommand {
    /// Print the interface of a module as Markdown: its parameters, outputs and resources.
    Doc(FileArgs),
    /// Store the remote modules of templates in `formwork_modules/`, so that the project needs no network and no cache.
    #[cfg(feature = "aws")]
    Vendor(ModulesSourcesArgs),
    /// Fetch the remote modules of templates again, and pin them in `formwork.lock`.
    #[cfg(feature = "aws")]
    Update(ModulesSourcesArgs),
}

/// What commands about remote modules take.
#[cfg(feature = "aws")]
#[derive(Debug, Args)]
pub(crate) struct ModulesSourcesArgs {
    /// The templates.
    #[arg(required = true)]
    pub(crate) template: Vec<PathBuf>,
    /// Remove sources that none of the templates uses.
    #[arg(long)]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MigrateCommand {
    /// Convert rain directives that have an equivalent, and report the others.
    ///
    /// Keeps comments and layout. Prints the result to standard output.
    Rain(FileArgs),
}

/// A file in, a file out.
#[derive(Debug, Args)]
pub(crate) struct FileArgs {
    /// The file.
    pub(crate) file: PathBuf,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
}

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
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<FormatArg>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Evaluate every rule with the values you pass, and report each result.
    Check(RulesCheckArgs),
    /// Find values that satisfy and that violate a rule.
    ///
    /// Takes candidates from `AllowedValues`, account data and the rules themselves. Values that you pass are fixed.
    Solve(RulesSearchArgs),
    /// Print the truth table of a rule over the parameters that matter.
    Table(RulesSearchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RulesCheckArgs {
    #[command(flatten)]
    pub(crate) rules: RulesInputArgs,
    /// Treat a rule that cannot be evaluated as failed, as a warning, or skip it.
    #[arg(long, value_name = "WHAT", default_value = "fail")]
    pub(crate) rules_unknown: UnknownRulesArg,
    /// Print the report in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
}

#[derive(Debug, Args)]
pub(crate) struct RulesSearchArgs {
    #[command(flatten)]
    pub(crate) rules: RulesInputArgs,
    /// The rule [default: all rules].
    #[arg(index = 2)]
    pub(crate) rule: Option<String>,
    /// Print the result in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
}

/// What commands about rules take.
#[derive(Debug, Args)]
pub(crate) struct RulesInputArgs {
    /// The template, or `-` for standard input [default: template.yaml, template.yml or template.json].
    #[arg(index = 1)]
    pub(crate) template: Option<PathBuf>,
    /// Also evaluate this Service Catalog template constraint; repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) constraint: Vec<PathBuf>,
    /// Let `Fn::ValueOfAll` read all values of the account, or those of the parameters.
    #[arg(long, value_name = "WHAT", default_value = "account")]
    pub(crate) value_of_all: ValueOfAllArg,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExpandArgs {
    /// Templates, directories and glob patterns, or `-` for standard input [default: template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Vec<PathBuf>,
    /// Evaluate as little as possible (`keep`), also what plain CloudFormation has no function for (`pin`), or everything
    /// that the known values determine, as in CloudFormation's processed template (`all`).
    #[arg(long, value_name = "HOW", default_value = "keep")]
    pub(crate) values: ValuesArg,
    /// Pass over files that are not templates, as in a directory. For hooks, which pass every file of a commit.
    #[arg(long)]
    pub(crate) only_templates: bool,
    /// Pass over files and directories of these names or paths, unless they are named. Separated by commas; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// Templates, directories and glob patterns, or `-` for standard input [default: template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Vec<PathBuf>,
    /// Pass over files and directories of these names or paths, unless they are named. Separated by commas; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The template, or `-` for standard input [default: template.yaml, template.yml or template.json].
    pub(crate) template: Option<PathBuf>,
    /// Explain this node: a path such as `Resources.Bucket.Properties.Tags.0`, a JSON pointer, or a logical ID.
    pub(crate) path: Option<String>,
    /// Explain every node that a line of a file generates, or the node at a column.
    #[arg(long, value_name = "FILE:LINE[:COLUMN]", conflicts_with = "path")]
    pub(crate) at: Option<String>,
    /// Explain the output of this command.
    #[arg(long, value_name = "STAGE", default_value = "resolve")]
    pub(crate) stage: StageArg,
    /// Print the result in this format [default: text].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// Check that every origin of the output holds.
    #[arg(long, hide = true, conflicts_with_all = ["path", "at"])]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PackageArgs {
    /// The template, or `-` for standard input [default: the built template, else template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Option<PathBuf>,
    /// The template; the same as TEMPLATE.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub(crate) template_file: Option<PathBuf>,
    /// Print what would be uploaded, as JSON, and upload nothing.
    #[arg(long)]
    pub(crate) plan: bool,
    /// Expand every loop in the packaged template.
    #[arg(long)]
    pub(crate) expand: bool,
    /// Record in the template's Metadata which parameter values its loops were packaged with.
    #[arg(long)]
    pub(crate) record: bool,
    /// Follow symbolic links in directories, or keep them as links.
    #[arg(long, value_name = "WHAT", default_value = "follow")]
    pub(crate) symlinks: SymlinksArg,
    /// Write to this file instead of standard output.
    #[arg(short, long, visible_alias = "output-template-file", value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Write the output in this format [default: that of the name of the output file, else that of the template].
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<FormatArg>,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) use_json: bool,
    /// Add the AWS CLI's metrics marker to the template's Metadata if it uses modules.
    #[arg(long, help_heading = "Output")]
    pub(crate) metrics: bool,
    /// Add `Metadata.SourceMap` to every resource of a module: file, ID there, line.
    #[arg(long, help_heading = "Output")]
    pub(crate) metadata_source_map: bool,
    #[command(flatten)]
    pub(crate) upload: UploadArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Where files are uploaded to, and how.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Upload")]
pub(crate) struct UploadArgs {
    /// Upload to this bucket, or write to a directory with `file:DIR`.
    #[arg(long, value_name = "BUCKET")]
    pub(crate) s3_bucket: Option<String>,
    /// Name this bucket in the packaged template when `--s3-bucket` is a directory.
    #[arg(long, value_name = "NAME")]
    pub(crate) bucket_name: Option<String>,
    /// Upload to the bucket that SAM CLI manages for the account and Region, and create it if it does not exist.
    #[arg(long, overrides_with = "no_resolve_s3")]
    pub(crate) resolve_s3: bool,
    /// Do not use that bucket, even if samconfig.toml sets it.
    #[arg(long, overrides_with = "resolve_s3")]
    pub(crate) no_resolve_s3: bool,
    /// Prefix the keys of uploaded objects.
    #[arg(long, value_name = "PREFIX")]
    pub(crate) s3_prefix: Option<String>,
    /// Encrypt objects with this KMS key [default: S3-managed keys].
    #[arg(long, value_name = "KEY")]
    pub(crate) kms_key_id: Option<String>,
    /// Add metadata to every object: `NAME=VALUE`, separated by commas, or a JSON object.
    #[arg(long, value_name = "K=V,...")]
    pub(crate) metadata: Option<String>,
    /// Push images to this repository: `HOST/PATH`.
    #[arg(long, value_name = "URI")]
    pub(crate) image_repository: Option<String>,
    /// Push the image of one function to a repository: `LOGICALID=URI`; repeatable. Use generated IDs in loops.
    #[arg(long, value_name = "LOGICALID=URI")]
    pub(crate) image_repositories: Vec<String>,
    /// Push images to the ECR repositories that SAM CLI manages for the functions of the stack, and create missing ones.
    #[arg(long)]
    pub(crate) resolve_image_repos: bool,
    /// Upload artifacts even if they exist already.
    #[arg(long)]
    pub(crate) force_upload: bool,
    /// Create and upload this many objects and images in parallel.
    #[arg(long, value_name = "NUMBER", default_value_t = 8)]
    pub(crate) concurrency: usize,
    /// Do not print a line for each upload.
    #[arg(long)]
    pub(crate) no_progressbar: bool,
}

/// What commands that read a template take.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputArgs {
    /// Pass parameter values: any number of `K=V`, `ParameterKey=K,ParameterValue=V` or `file://FILE`.
    #[arg(long, value_name = "K=V", num_args = 0.., action = clap::ArgAction::Append, value_parser = parameter_word)]
    pub(crate) parameter_overrides: Vec<String>,
    /// Read parameter values from a file, in any of the usual shapes; repeatable, later files win.
    #[arg(long, value_name = "FILE")]
    pub(crate) parameters_file: Vec<PathBuf>,
    /// Use this parameter set of formwork.toml, below the values of `--parameter-overrides` and `--parameters-file`.
    #[arg(long, value_name = "NAME")]
    pub(crate) parameter_set: Option<String>,
    /// Set a pseudo parameter, such as `AWS::StackName=prod`; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) pseudo: Vec<String>,
    /// Set `AWS::Region`, and the Region of calls to AWS.
    #[arg(long, value_name = "NAME")]
    pub(crate) region: Option<String>,
    /// Set `AWS::AccountId`.
    #[arg(long, value_name = "ID")]
    pub(crate) account_id: Option<String>,
    /// Set `AWS::Partition`.
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// Set `AWS::StackName`, and the stack of commands that deploy.
    #[arg(long, value_name = "NAME")]
    pub(crate) stack_name: Option<String>,
    /// Read account data from a snapshot; repeatable, later files win, type by type.
    #[arg(long, value_name = "FILE")]
    pub(crate) account: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    /// Expand language extensions: `auto` if the template's Transform names `AWS::LanguageExtensions`.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) language_extensions: LanguageExtensionsArg,
    /// Follow CloudFormation to the letter (`aws`), or SAM CLI (`sam`), where they disagree.
    #[arg(long, value_name = "TOOL")]
    pub(crate) compat: Option<CompatArg>,
    /// Read no file outside this directory [default: that of the nearest .git at or above the template; without one the
    /// outermost below the home directory that has formwork.toml, formwork.lock or samconfig.toml, else the template's
    /// own].
    #[arg(long, value_name = "DIR")]
    pub(crate) project_root: Option<PathBuf>,
    /// Allow fetching remote modules from this host or bucket, such as `modules.example.com`; repeatable.
    #[arg(long, value_name = "HOST_OR_BUCKET")]
    pub(crate) allow_remote: Vec<String>,
    /// Report unresolved names as warnings, not as errors.
    #[arg(long)]
    pub(crate) allow_unresolved: bool,
    /// Read this SAM CLI configuration file [default: samconfig.toml next to the template].
    #[arg(long, value_name = "FILE")]
    pub(crate) config_file: Option<PathBuf>,
    /// Read this environment of the configuration file [default: default].
    #[arg(long, value_name = "NAME")]
    pub(crate) config_env: Option<String>,
    /// Read neither formwork.toml nor samconfig.toml.
    #[arg(long, conflicts_with_all = ["config_file", "config_env"])]
    pub(crate) no_config: bool,
}

/// Rejects a template that follows the values: the option takes every word up to the next option.
fn parameter_word(word: &str) -> Result<String, String> {
    let is_file = !word.contains('=') && !word.starts_with("file://") && Path::new(word).is_file();
    if is_file {
        return Err(
            "it is a file, and the option takes all words that follow it: write TEMPLATE before the option".to_owned()
        );
    }
    Ok(word.to_owned())
}

impl InputArgs {
    /// The files that a command line names as inputs; `-` for standard input.
    pub(crate) fn named_files<'a>(&'a self, template: impl Into<Option<&'a Path>>) -> Vec<&'a Path> {
        let words = self.parameter_overrides.iter().filter_map(|word| word.strip_prefix("file://")).map(Path::new);
        let files = self.parameters_file.iter().chain(&self.account).chain(&self.config_file).map(PathBuf::as_path);
        template.into().into_iter().chain(words).chain(files).collect()
    }
}

/// How AWS is reached.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct AwsArgs {
    /// Use this profile of the AWS configuration.
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Send calls to this URL instead of the endpoints of AWS.
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint_url: Option<String>,
    /// Trust the certificate authorities in this PEM file [default: `AWS_CA_BUNDLE`, else those of the system].
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_bundle: Option<PathBuf>,
    /// Do not verify the certificates of AWS endpoints. Others on the network can then read and change the traffic.
    #[arg(long)]
    pub(crate) no_verify_ssl: bool,
}

/// Where account data comes from that no snapshot has.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct LiveArgs {
    /// Call AWS, read-only, for account data that is in no snapshot.
    #[arg(long)]
    pub(crate) live: bool,
    /// Never use the network.
    #[arg(long)]
    pub(crate) offline: bool,
    #[command(flatten)]
    pub(crate) aws: AwsArgs,
    /// Write the account data found with `--live` to this file, as a snapshot.
    #[arg(long, value_name = "FILE")]
    pub(crate) record_account: Option<PathBuf>,
}

/// What commands that print a template take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Write the output in this format [default: that of the name of the output file, else that of the template].
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<FormatArg>,
    /// Write to this file instead of standard output; below this directory for several templates, or with a separator
    /// at its end. Relative paths in the template are rewritten for it.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write a source map to this file: the origin of every node of the output, as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) source_map: Option<PathBuf>,
    /// Leave out mappings and conditions that only evaluated parts used; under `resolve` and `--values all` also
    /// parameters.
    #[arg(long)]
    pub(crate) prune: bool,
    /// Add the AWS CLI's metrics marker to the template's Metadata if it uses modules.
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Add `Metadata.SourceMap` to every resource of a module: file, ID there, line.
    #[arg(long)]
    pub(crate) metadata_source_map: bool,
}

/// How things are reported.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArgs {
    /// Print diagnostics in this format.
    #[arg(long, value_name = "FORMAT", default_value = "human")]
    pub(crate) message_format: MessageFormatArg,
    /// Use colors.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
    /// Treat warnings as errors.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print errors only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print what was done, and the inputs that were used.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Print how long each stage took.
    #[arg(long)]
    pub(crate) timings: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ValuesArg {
    Keep,
    Pin,
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum UnknownRulesArg {
    Fail,
    Warn,
    Skip,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ValueOfAllArg {
    Account,
    Parameters,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum StageArg {
    Resolve,
    Expand,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum SymlinksArg {
    Follow,
    Keep,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ReportFormatArg {
    Text,
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum LanguageExtensionsArg {
    Auto,
    Always,
    Never,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum CompatArg {
    Aws,
    Sam,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum FormatArg {
    Yaml,
    Json,
}

impl From<FormatArg> for formwork::Format {
    fn from(format: FormatArg) -> formwork::Format {
        match format {
            FormatArg::Yaml => formwork::Format::Yaml,
            FormatArg::Json => formwork::Format::Json,
        }
    }
}

impl FormatArg {
    /// The format that the name of a file means: `x.json` is JSON.
    pub(crate) fn of_file(path: &Path) -> Option<FormatArg> {
        let extension = path.extension()?.to_str()?;
        match extension.to_ascii_lowercase().as_str() {
            "json" => Some(FormatArg::Json),
            "yaml" | "yml" => Some(FormatArg::Yaml),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MessageFormatArg {
    #[value(aliases = ["text", "full", "pretty"])]
    Human,
    #[value(aliases = ["concise", "parseable"])]
    Short,
    Json,
    Sarif,
    Github,
    Junit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorArg {
    Auto,
    Always,
    Never,
}
