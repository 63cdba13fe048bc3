//! Arguments of `delete` (reference/deploy.md#delete).

use std::path::PathBuf;

use clap::Args;

use super::{AwsArgs, ReportArgs, ReportFormatArg};

#[derive(Debug, Args)]
pub(crate) struct DeleteArgs {
    /// Name of the stack; by default the one of samconfig.toml.
    #[arg(long, value_name = "NAME")]
    pub(crate) stack_name: Option<String>,
    /// Leave these resources in the account, by logical ID. CloudFormation allows it for a stack in `DELETE_FAILED`.
    #[arg(long, value_name = "LOGICAL_ID", num_args = 1.., value_delimiter = ',')]
    pub(crate) retain_resources: Vec<String>,
    /// Delete all objects of the stack's S3 buckets first, with all their versions.
    #[arg(long)]
    pub(crate) force_empty_buckets: bool,
    /// Delete without asking.
    #[arg(short, long, visible_alias = "no-prompts")]
    pub(crate) yes: bool,
    /// The role that CloudFormation assumes for this stack.
    #[arg(long, value_name = "ARN")]
    pub(crate) role_arn: Option<String>,
    /// Wait for an operation that is in progress to end, and then delete.
    #[arg(long)]
    pub(crate) wait: bool,
    /// Stop watching after so many minutes, with status 6. The deletion goes on.
    #[arg(long, value_name = "MINUTES")]
    pub(crate) max_wait_duration: Option<f64>,
    /// Seconds between two looks at the events of the stack.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    pub(crate) poll_delay: f64,
    /// Form of the result on standard output: a sentence, or one JSON object about the deletion.
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    /// The Region of the stack.
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) region: Option<String>,
    #[command(flatten)]
    pub(crate) aws: AwsArgs,
    /// SAM's configuration file; by default samconfig.toml in the working directory.
    #[arg(long, value_name = "FILE", help_heading = "Inputs")]
    pub(crate) config_file: Option<PathBuf>,
    /// The environment of the configuration file that is read.
    #[arg(long, value_name = "NAME", help_heading = "Inputs")]
    pub(crate) config_env: Option<String>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
