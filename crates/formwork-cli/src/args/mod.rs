//! Arguments of the command line (reference/command-line.md).

mod build;
mod check;
mod delete;
mod deploy;
mod init;
#[cfg(feature = "local")]
mod local;
#[cfg(feature = "aws")]
mod sync;

use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand, ValueEnum};

pub(crate) use build::BuildArgs;
pub(crate) use check::{CheckArgs, SelectionArgs};
pub(crate) use delete::DeleteArgs;
#[cfg(feature = "aws")]
pub(crate) use deploy::{ChangeSetTypeArg, OnFailureArg};
pub(crate) use deploy::{DeployArgs, ValidateArgs};
pub(crate) use init::InitArgs;
#[cfg(feature = "local")]
pub(crate) use local::{
    LocalArgs, LocalCommand, LocalInvokeArgs, LocalServerArgs, LocalStartApiArgs, LocalStartLambdaArgs,
};

#[cfg(feature = "aws")]
pub(crate) use sync::SyncArgs;

/// CloudFormation loops, modules and checks, worked off on your machine.
#[derive(Debug, Parser)]
#[command(name = "formwork", version)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Create a project from one of the project templates.
    ///
    /// Without `--template` it asks on a terminal. `--list` shows the project templates.
    Init(InitArgs),
    /// Compile loops and language extensions away and print a plain CloudFormation template.
    ///
    /// References to parameters stay references: the output can be deployed with other values.
    Expand(ExpandArgs),
    /// Print what would be deployed with the given values.
    ///
    /// Conditions are decided, skipped resources and outputs are gone, every function is computed
    /// that can be. Values known only after deployment stay intrinsic functions.
    Resolve(ResolveArgs),
    /// Find every problem and print no template.
    Check(CheckArgs),
    /// Evaluate the Rules section, and look for values that satisfy or violate it.
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Say where a node of the output comes from, and what keeps it from being known.
    Explain(ExplainArgs),
    /// Build the functions and layers of a template with the tools on the PATH.
    ///
    /// The template that names what was built goes beside it, into .formwork/build: `package` and `deploy` take it.
    Build(Box<BuildArgs>),
    /// Upload the local files that a template names, and print the template that names the uploads.
    ///
    /// Loops stay as they are where the service runs them; comments, order and style are kept.
    Package(PackageArgs),
    /// Deploy a template: show the changes, execute them, and follow what happens.
    ///
    /// The template and the parameters are checked before anything is sent.
    Deploy(Box<DeployArgs>),
    /// Delete a stack: show what is in it, ask, and follow what happens.
    Delete(Box<DeleteArgs>),
    /// Deploy a stack and keep it like its sources: edited code is pushed in seconds.
    ///
    /// With --watch it goes on until Ctrl-C: a change of code is pushed to its resource, a change of the template is
    /// deployed. Example: `formwork sync --stack-name dev --watch`.
    #[cfg(feature = "aws")]
    Sync(Box<SyncArgs>),
    /// Find every problem of templates; with `--live`, ask CloudFormation as well.
    Validate(ValidateArgs),
    /// Run functions and APIs of a template as processes of this machine, without Docker.
    #[cfg(feature = "local")]
    #[command(subcommand)]
    Local(LocalCommand),
    /// Account data: what is known of the account that is deployed to.
    #[command(subcommand)]
    Account(AccountCommand),
    /// Modules: what they take and give.
    #[command(subcommand)]
    Modules(ModulesCommand),
    /// Bring a template of another tool to the module language.
    #[command(subcommand)]
    Migrate(MigrateCommand),
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
            Command::Rules(RulesCommand::Check(args)) => Some(&args.rules.report),
            Command::Rules(RulesCommand::Solve(args) | RulesCommand::Table(args)) => Some(&args.rules.report),
            Command::Explain(args) => Some(&args.report),
            Command::Build(args) => Some(&args.report),
            Command::Package(args) => Some(&args.report),
            Command::Deploy(args) => Some(&args.report),
            Command::Delete(args) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Sync(args) => Some(&args.deploy.report),
            Command::Validate(args) => Some(&args.report),
            #[cfg(feature = "local")]
            Command::Local(command) => Some(command.report()),
            Command::Account(AccountCommand::Snapshot(args)) => Some(&args.report),
            #[cfg(feature = "aws")]
            Command::Modules(ModulesCommand::Vendor(args) | ModulesCommand::Update(args)) => Some(&args.report),
            Command::Init(_) | Command::Modules(ModulesCommand::Doc(_)) | Command::Migrate(_) | Command::Version => {
                None
            }
        }
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum ModulesCommand {
    /// Print the interface of a module as Markdown: its parameters, outputs and resources.
    Doc(FileArgs),
    /// Store the remote modules of templates in `formwork_modules/`, so that the project needs no
    /// network and no cache.
    #[cfg(feature = "aws")]
    Vendor(ModulesSourcesArgs),
    /// Fetch the remote modules of templates anew, and pin in `formwork.lock` what is there.
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
    /// Forget the sources that none of the templates reads.
    #[arg(long)]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MigrateCommand {
    /// Rewrite what rain's directives have an equivalent for, and name the rest.
    ///
    /// Comments and layout stay. The result goes to standard output.
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
    /// Ask AWS, by read-only calls, and write an account snapshot for `--account`.
    ///
    /// With a template, what its parameters and rules need; without one, the types whose values an
    /// account has a list of.
    Snapshot(AccountSnapshotArgs),
}

#[derive(Debug, Args)]
pub(crate) struct AccountSnapshotArgs {
    /// A template whose needs are captured; `-` for standard input.
    pub(crate) template: Option<PathBuf>,
    /// Types to capture, such as `AWS::EC2::VPC::Id`, separated by commas; repeatable.
    #[arg(long, value_name = "TYPES", value_delimiter = ',')]
    pub(crate) types: Vec<String>,
    /// Names of SSM parameters whose stored values are captured.
    #[arg(long, value_name = "NAME", num_args = 1..)]
    pub(crate) ssm: Vec<String>,
    /// Capture the exports of stacks.
    #[arg(long)]
    pub(crate) exports: bool,
    /// Write to this file instead of standard output.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the snapshot.
    #[arg(long, value_name = "FORMAT", default_value = "json")]
    pub(crate) format: FormatArg,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Evaluate every rule with the given values and report each.
    Check(RulesCheckArgs),
    /// Find values that satisfy and that violate a rule, or each of them.
    ///
    /// Values are taken from `AllowedValues`, account data and the rules themselves. Those that are
    /// given are fixed.
    Solve(RulesSearchArgs),
    /// Print the outcomes of a rule, or of all of them, over the parameters that matter.
    Table(RulesSearchArgs),
}

#[derive(Debug, Args)]
pub(crate) struct RulesCheckArgs {
    #[command(flatten)]
    pub(crate) rules: RulesInputArgs,
    /// What becomes of a rule that cannot be evaluated.
    #[arg(long, value_name = "WHAT", default_value = "fail")]
    pub(crate) rules_unknown: UnknownRulesArg,
    /// Form of the report; by default text for people.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
}

#[derive(Debug, Args)]
pub(crate) struct RulesSearchArgs {
    #[command(flatten)]
    pub(crate) rules: RulesInputArgs,
    /// The rule; all of them without one.
    #[arg(index = 2)]
    pub(crate) rule: Option<String>,
    /// Form of the answer; by default text for people.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
}

/// What commands about rules take.
#[derive(Debug, Args)]
pub(crate) struct RulesInputArgs {
    /// The template; `-` for standard input.
    #[arg(index = 1)]
    pub(crate) template: PathBuf,
    /// A template constraint of Service Catalog: a document with more rules; repeatable.
    #[arg(long, value_name = "FILE")]
    pub(crate) constraint: Vec<PathBuf>,
    /// What `Fn::ValueOfAll` looks at: all values of the account, or those of the parameters.
    #[arg(long, value_name = "WHAT", default_value = "account")]
    pub(crate) value_of_all: ValueOfAllArg,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExpandArgs {
    /// Templates, directories and patterns; `-` for standard input. By default the template of the working directory.
    pub(crate) template: Vec<PathBuf>,
    /// How much is computed: `keep` changes as little as it can, `pin` fixes what plain
    /// CloudFormation lacks to the known values, `all` is the service's processed template.
    #[arg(long, value_name = "HOW", default_value = "keep")]
    pub(crate) values: ValuesArg,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    /// Templates, directories and patterns; `-` for standard input. By default the template of the working directory.
    pub(crate) template: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The template; `-` for standard input.
    pub(crate) template: PathBuf,
    /// What to explain: a path such as `Resources.Bucket.Properties.Tags.0`, a JSON pointer, or a
    /// logical id.
    #[arg(required_unless_present_any = ["at", "verify"])]
    pub(crate) path: Option<String>,
    /// Explain everything that a line of a file makes, or what stands at a column of it.
    #[arg(long, value_name = "FILE:LINE[:COLUMN]", conflicts_with = "path")]
    pub(crate) at: Option<String>,
    /// Which output: what would be deployed (`resolve`), or what `expand` prints (`expand`).
    #[arg(long, value_name = "STAGE", default_value = "resolve")]
    pub(crate) stage: StageArg,
    /// Form of the answer; by default text for people.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// Check that every origin of the output holds.
    #[arg(long, hide = true, conflicts_with_all = ["path", "at"])]
    pub(crate) verify: bool,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Debug, Args)]
pub(crate) struct PackageArgs {
    /// The template; `-` for standard input. By default the built one, else that of the working directory.
    pub(crate) template: Option<PathBuf>,
    /// The template, as the AWS CLI takes it.
    #[arg(short, long, value_name = "FILE", conflicts_with = "template")]
    pub(crate) template_file: Option<PathBuf>,
    /// Print what would be uploaded as JSON, and upload nothing.
    #[arg(long)]
    pub(crate) plan: bool,
    /// Write the template with every loop unrolled.
    #[arg(long)]
    pub(crate) expand: bool,
    /// Note the items of parameters that loops with uploads run over in the template's metadata.
    #[arg(long)]
    pub(crate) record: bool,
    /// What becomes of symbolic links in folders.
    #[arg(long, value_name = "WHAT", default_value = "follow")]
    pub(crate) symlinks: SymlinksArg,
    /// Write to this file instead of standard output.
    #[arg(short, long, visible_alias = "output-template-file", value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
    /// Format of the output; by default that of the template.
    #[arg(long, value_name = "FORMAT", help_heading = "Output")]
    pub(crate) format: Option<FormatArg>,
    /// The same as `--format json`.
    #[arg(long, conflicts_with = "format", help_heading = "Output")]
    pub(crate) use_json: bool,
    /// Add the metrics marker of the AWS CLI to the template's Metadata when modules were used.
    #[arg(long, help_heading = "Output")]
    pub(crate) metrics: bool,
    /// Say in the Metadata of each resource of a module where it comes from.
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
#[derive(Debug, Args)]
#[command(next_help_heading = "Upload")]
pub(crate) struct UploadArgs {
    /// The bucket; `file:DIR` for a folder in its place.
    #[arg(long, value_name = "BUCKET")]
    pub(crate) s3_bucket: Option<String>,
    /// The bucket that the template names, when a folder takes its place.
    #[arg(long, value_name = "NAME")]
    pub(crate) bucket_name: Option<String>,
    /// Upload to the bucket that SAM CLI keeps for the account and Region; it is made when there is none.
    #[arg(long, overrides_with = "no_resolve_s3")]
    pub(crate) resolve_s3: bool,
    /// Do not look for that bucket, whatever samconfig.toml says.
    #[arg(long, overrides_with = "resolve_s3")]
    pub(crate) no_resolve_s3: bool,
    /// What stands before the names of objects.
    #[arg(long, value_name = "PREFIX")]
    pub(crate) s3_prefix: Option<String>,
    /// The key of KMS that encrypts objects; without it S3 does with its own.
    #[arg(long, value_name = "KEY")]
    pub(crate) kms_key_id: Option<String>,
    /// Metadata of every object: `NAME=VALUE`, separated by commas, or a JSON object.
    #[arg(long, value_name = "K=V,...")]
    pub(crate) metadata: Option<String>,
    /// The repository that images are pushed to: `HOST/PATH`.
    #[arg(long, value_name = "URI")]
    pub(crate) image_repository: Option<String>,
    /// The repository of the image of one function: `LOGICALID=URI`; repeatable. In a loop, the ID of an iteration.
    #[arg(long, value_name = "LOGICALID=URI")]
    pub(crate) image_repositories: Vec<String>,
    /// Push images to the repositories in ECR that SAM CLI keeps for the functions of the stack; they are made when there
    /// are none.
    #[arg(long)]
    pub(crate) resolve_image_repos: bool,
    /// Upload also what is there already.
    #[arg(long)]
    pub(crate) force_upload: bool,
    /// How many objects and images are made and uploaded at once.
    #[arg(long, value_name = "NUMBER", default_value_t = 8)]
    pub(crate) concurrency: usize,
    /// Print no line for each upload.
    #[arg(long)]
    pub(crate) no_progressbar: bool,
}

/// What commands that read a template take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct InputArgs {
    /// Parameter values: `K=V`, `ParameterKey=K,ParameterValue=V` or `file://FILE`, any number.
    #[arg(long, value_name = "K=V", num_args = 0.., action = clap::ArgAction::Append)]
    pub(crate) parameter_overrides: Vec<String>,
    /// A file of parameter values, in any of the usual shapes; repeatable, later ones win.
    #[arg(long, value_name = "FILE")]
    pub(crate) parameters_file: Vec<PathBuf>,
    /// A pseudo parameter, such as `AWS::StackName=prod`; repeatable.
    #[arg(long, value_name = "NAME=VALUE")]
    pub(crate) pseudo: Vec<String>,
    /// Value of `AWS::Region`.
    #[arg(long, value_name = "NAME")]
    pub(crate) region: Option<String>,
    /// Value of `AWS::AccountId`.
    #[arg(long, value_name = "ID")]
    pub(crate) account_id: Option<String>,
    /// Value of `AWS::Partition`.
    #[arg(long, value_name = "NAME")]
    pub(crate) partition: Option<String>,
    /// Value of `AWS::StackName`.
    #[arg(long, value_name = "NAME")]
    pub(crate) stack_name: Option<String>,
    /// An account snapshot; repeatable, later ones win, type by type.
    #[arg(long, value_name = "FILE")]
    pub(crate) account: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) live: LiveArgs,
    /// Whether `AWS::LanguageExtensions` is worked off: `auto` when Transform names it.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) language_extensions: LanguageExtensionsArg,
    /// Follow the service to the letter (`aws`) or SAM CLI (`sam`) where they disagree.
    #[arg(long, value_name = "TOOL")]
    pub(crate) compat: Option<CompatArg>,
    /// Files outside this folder are not read; by default the template's own folder.
    #[arg(long, value_name = "DIR")]
    pub(crate) project_root: Option<PathBuf>,
    /// A host or bucket from which remote modules may be fetched, such as `modules.example.com`;
    /// repeatable. Without it nothing is fetched.
    #[arg(long, value_name = "HOST_OR_BUCKET")]
    pub(crate) allow_remote: Vec<String>,
    /// A name that exists nowhere is a warning, not an error.
    #[arg(long)]
    pub(crate) allow_unresolved: bool,
    /// SAM's configuration file; by default samconfig.toml beside the template.
    #[arg(long, value_name = "FILE")]
    pub(crate) config_file: Option<PathBuf>,
    /// The environment of the configuration file that is read.
    #[arg(long, value_name = "NAME")]
    pub(crate) config_env: Option<String>,
    /// Read no configuration file.
    #[arg(long, conflicts_with_all = ["config_file", "config_env"])]
    pub(crate) no_config: bool,
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
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct AwsArgs {
    /// The profile of the AWS configuration that is used to ask AWS and to upload.
    #[arg(long, value_name = "NAME")]
    pub(crate) profile: Option<String>,
    /// Where calls to AWS go, instead of the endpoints of the Region.
    #[arg(long, value_name = "URL")]
    pub(crate) endpoint_url: Option<String>,
    /// A PEM file of the certificate authorities that calls to AWS trust, instead of `AWS_CA_BUNDLE`.
    #[arg(long, value_name = "FILE")]
    pub(crate) ca_bundle: Option<PathBuf>,
    /// Do not verify the certificates of AWS endpoints: anybody on the way can read and change what is sent.
    #[arg(long)]
    pub(crate) no_verify_ssl: bool,
}

/// Where account data comes from that no snapshot has.
#[derive(Debug, Args)]
#[command(next_help_heading = "Inputs")]
pub(crate) struct LiveArgs {
    /// Ask AWS, by read-only calls, for what the account snapshots lack.
    #[arg(long)]
    pub(crate) live: bool,
    /// Use no network at all.
    #[arg(long)]
    pub(crate) offline: bool,
    #[command(flatten)]
    pub(crate) aws: AwsArgs,
    /// Write what was found out with `--live` to this file, as an account snapshot.
    #[arg(long, value_name = "FILE")]
    pub(crate) record_account: Option<PathBuf>,
}

/// What commands that print a template take.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Format of the output; by default that of the template.
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<FormatArg>,
    /// Write to this file instead of standard output; of several templates, below this directory.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Write the origin of every node of the output to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    pub(crate) source_map: Option<PathBuf>,
    /// Leave out mappings and conditions that only computed parts used; under `resolve` and `--values all` also
    /// parameters.
    #[arg(long)]
    pub(crate) prune: bool,
    /// Add the metrics marker of the AWS CLI to the template's Metadata when modules were used.
    #[arg(long)]
    pub(crate) metrics: bool,
    /// Add `Metadata.SourceMap` to every resource that a module made: file, id there, line.
    #[arg(long)]
    pub(crate) metadata_source_map: bool,
}

/// How things are reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Reports")]
pub(crate) struct ReportArgs {
    /// Form of the report.
    #[arg(long, value_name = "FORM", default_value = "human")]
    pub(crate) message_format: MessageFormatArg,
    /// When to use colours.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArg,
    /// Make warnings errors.
    #[arg(long)]
    pub(crate) strict: bool,
    /// Print errors only.
    #[arg(short, long, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say what was done.
    #[arg(short, long)]
    pub(crate) verbose: bool,
    /// Say how long each stage took; of a deployment, how often the template was analyzed.
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

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum MessageFormatArg {
    Human,
    Short,
    Json,
    Sarif,
    Github,
    Junit,
}

impl MessageFormatArg {
    /// Whether a report in it is made at the end of a run, of everything that was found.
    pub(crate) fn is_document(self) -> bool {
        matches!(self, MessageFormatArg::Sarif | MessageFormatArg::Github | MessageFormatArg::Junit)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ColorArg {
    Auto,
    Always,
    Never,
}
