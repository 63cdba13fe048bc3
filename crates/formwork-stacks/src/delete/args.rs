//! Arguments of `delete` (reference/deploy.md#delete).

use clap::{Arg, Args, ValueEnum};
use formwork_run::args::either;
use formwork_run::console::{ReportArgs, ReportFormat};

use crate::around::AccountArgs;

/// The arguments of `delete`.
#[derive(Clone, Debug, Args)]
#[command(mut_args(about_file))]
pub struct DeleteArgs {
    /// The stack; the same as `--stack-name`.
    #[arg(hide = true, conflicts_with = "stack_name")]
    pub stack: Option<String>,
    /// Delete this stack [default: the stack name in samconfig.toml].
    #[arg(long, value_name = "NAME")]
    pub stack_name: Option<String>,
    /// Retain these resources, by logical ID. CloudFormation allows it for a stack in `DELETE_FAILED`.
    #[arg(long, value_name = "LOGICAL_ID", num_args = 1.., value_delimiter = ',')]
    pub retain_resources: Vec<String>,
    /// Delete a stack in `DELETE_FAILED` by force: resources that cannot be deleted stay in the account.
    #[arg(long, value_name = "MODE", ignore_case = true)]
    pub deletion_mode: Option<DeletionMode>,
    /// First delete all objects, in all versions, from the S3 buckets of the stack.
    #[arg(long)]
    pub force_empty_buckets: bool,
    /// Behind the stack, delete the uploaded files that its templates name from this bucket.
    #[arg(long, value_name = "BUCKET")]
    pub s3_bucket: Option<String>,
    /// Delete only files whose keys are below this prefix.
    #[arg(long, value_name = "PREFIX", requires = "s3_bucket")]
    pub s3_prefix: Option<String>,
    /// Delete without asking.
    #[arg(short, long, visible_alias = "no-prompts")]
    pub yes: bool,
    /// Let CloudFormation assume this role.
    #[arg(long, value_name = "ARN")]
    pub role_arn: Option<String>,
    /// End when the configuration is applied, and let resources become ready, or go, in the background.
    #[arg(long, overrides_with = "no_express")]
    pub express: bool,
    /// Wait until every resource is gone, even if samconfig.toml sets the opposite.
    #[arg(long, overrides_with = "express")]
    pub no_express: bool,
    /// Wait for an operation in progress to end, and then delete.
    #[arg(long)]
    pub wait: bool,
    /// Stop following after this many minutes, with status 6. The deletion continues.
    #[arg(long, allow_negative_numbers = true, value_name = "MINUTES")]
    pub max_wait_duration: Option<f64>,
    /// Poll stack events every this many seconds.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = 2.0)]
    pub poll_delay: f64,
    /// Print the result in this format: a sentence, or one JSON object.
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The account and Region of the stack.
    #[command(flatten)]
    pub account: AccountArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

impl DeleteArgs {
    /// The stack that the command line names.
    pub fn named(&self) -> Option<&str> {
        self.stack.as_deref().or(self.stack_name.as_deref())
    }

    /// Returns whether it is a deletion in express mode, whatever `samconfig.toml` sets.
    pub fn is_express(&self) -> Option<bool> {
        either(self.express, self.no_express)
    }
}

/// The help of the option for the configuration file: no template is read that it could be next to.
fn about_file(arg: Arg) -> Arg {
    if arg.get_id() != "config_file" {
        return arg;
    }
    arg.help("Read this SAM CLI configuration file [default: samconfig.toml in the working directory]")
}

/// Treatment of resources that cannot be deleted.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DeletionMode {
    /// Fail at a resource that cannot be deleted.
    #[value(name = "STANDARD")]
    Standard,
    /// Leave resources that cannot be deleted in the account.
    #[value(name = "FORCE_DELETE_STACK")]
    Force,
}
