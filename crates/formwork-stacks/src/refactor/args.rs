//! Arguments of `refactor` (reference/refactor.md).

use std::path::PathBuf;

use clap::Args;
use formwork_run::args::{InputArgs, UploadArgs};
use formwork_run::console::{ReportArgs, ReportFormat};

/// The arguments of `refactor`.
#[derive(Clone, Debug, Args)]
pub struct RefactorArgs {
    /// The template of the stack [default: the built template, else template.yaml, template.yml or template.json].
    pub template: Option<PathBuf>,
    /// The template; the same as TEMPLATE.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub template_file: Option<PathBuf>,
    /// Refactor this stack together with others, with the template that it is to have; 2 to 5 of them.
    #[arg(long = "stack", value_name = "NAME=TEMPLATE", conflicts_with_all = ["template", "template_file", "stack_name"])]
    pub stacks: Vec<String>,
    /// Name a rename or a move: `OLD=NEW`, or `STACK.OLD=STACK.NEW` with several stacks; repeatable.
    #[arg(long, value_name = "OLD=NEW")]
    pub map: Vec<String>,
    /// Read renames and moves from this JSON or YAML file, in the form of the AWS CLI or of the CDK.
    #[arg(long, value_name = "FILE")]
    pub mapping_file: Option<PathBuf>,
    /// Print the renames and moves, and stop.
    #[arg(long)]
    pub dry_run: bool,
    /// Write the templates and the mappings of the refactor to this directory, for the AWS CLI.
    #[arg(long, value_name = "DIR")]
    pub output_dir: Option<PathBuf>,
    /// Let the refactor create stacks that do not exist.
    #[arg(long)]
    pub enable_stack_creation: bool,
    /// Describe the refactor.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Execute without asking.
    #[arg(short, long)]
    pub yes: bool,
    /// Create the refactor, but do not execute it.
    #[arg(long)]
    pub no_execute: bool,
    /// Execute this refactor, created earlier with --no-execute. No template is needed.
    #[arg(long, value_name = "REFACTOR_ID", conflicts_with_all = [
        "template", "template_file", "stacks", "map", "mapping_file", "dry_run", "output_dir", "enable_stack_creation",
        "description", "no_execute", "parameter_overrides", "parameters_file", "parameter_set", "s3_bucket",
        "bucket_name", "s3_prefix", "resolve_s3", "kms_key_id",
    ])]
    pub execute: Option<String>,
    /// Stop waiting after this many minutes, with status 6. The refactor continues.
    #[arg(long, allow_negative_numbers = true, value_name = "MINUTES")]
    pub max_wait_duration: Option<f64>,
    /// Poll the refactor every this many seconds.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = 2.0)]
    pub poll_delay: f64,
    /// Print the result in this format: a table, or one JSON object [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Options of uploads.
    #[command(flatten)]
    pub upload: UploadArgs,
    /// Options of compilation.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}
