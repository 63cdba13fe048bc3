//! Arguments of `delete` (reference/deploy.md#delete).

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{AwsArgs, ReportArgs, ReportFormatArg};

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// The stack; the same as `--stack-name`.
    #[arg(hide = true, conflicts_with = "stack_name")]
    pub(crate) stack: Option<String>,
    /// Delete this stack [default: the stack name in samconfig.toml].
    #[arg(long, value_name = "NAME")]
    pub(crate) stack_name: Option<String>,
    /// Retain these resources, by logical ID. CloudFormation allows it for a stack in `DELETE_FAILED`.
    #[arg(long, value_name = "LOGICAL_ID", num_args = 1.., value_delimiter = ',')]
    pub(crate) retain_resources: Vec<String>,
    /// Delete a stack in `DELETE_FAILED` by force: resources that cannot be deleted stay in the account.
    #[arg(long, value_name = "MODE", ignore_case = true)]
    pub(crate) deletion_mode: Option<DeletionModeArg>,
    /// First delete all objects, in all versions, from the S3 buckets of the stack.
    #[arg(long)]
    pub(crate) force_empty_buckets: bool,
    /// Behind the stack, delete the uploaded files that its templates name from this bucket.
    #[arg(long, value_name = "BUCKET")]
    pub(crate) s3_bucket: Option<String>,
    /// Delete only files whose keys are below this prefix.
    #[arg(long, value_name = "PREFIX", requires = "s3_bucket")]
    pub(crate) s3_prefix: Option<String>,
    /// Delete without asking.
    #[arg(short, long, visible_alias = "no-prompts")]
    pub(crate) yes: bool,
    /// Let CloudFormation assume this role.
    #[arg(long, value_name = "ARN")]
    pub(crate) role_arn: Option<String>,
    /// End when the configuration is applied, and let resources become ready, or go, in the background.
    #[arg(long, overrides_with = "no_express")]
    pub(crate) express: bool,
    /// Wait until every resource is gone, even if samconfig.toml sets the opposite.
    #[arg(long, overrides_with = "express")]
    pub(crate) no_express: bool,
    /// Wait for an operation in progress to end, and then delete.
    #[arg(long)]
    pub(crate) wait: bool,
    /// Stop following after this many minutes, with status 6. The deletion continues.
    #[arg(long, allow_negative_numbers = true, value_name = "MINUTES")]
    pub(crate) max_wait_duration: Option<f64>,
    /// Poll stack events every this many seconds.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = 2.0)]
    pub(crate) poll_delay: f64,
    /// Print the result in this format: a sentence, or one JSON object.
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// The Region of the stack.
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) aws: AwsArgs,
    /// Read this SAM CLI configuration file [default: samconfig.toml in the working directory].
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) config_file: Option<PathBuf>,
    /// Read this environment of the configuration file [default: default].
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) config_env: Option<String>,
    /// Read neither formwork.toml nor samconfig.toml.
    #[arg(long, conflicts_with_all = ["config_file", "config_env"], help_heading = "Inputs")]
    pub(crate) no_config: bool,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DeletionModeArg {
    /// Fail at a resource that cannot be deleted.
    #[value(name = "STANDARD")]
    Standard,
    /// Leave resources that cannot be deleted in the account.
    #[value(name = "FORCE_DELETE_STACK")]
    Force,
}
