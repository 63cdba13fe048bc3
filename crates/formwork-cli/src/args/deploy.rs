//! Arguments of `deploy` and `validate` (reference/deploy.md#steps).

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InputArgs, ReportArgs, ReportFormatArg, SchemaArgs, SelectionArgs, UploadArgs};

#[derive(Debug, Args)]
pub(crate) struct DeployArgs {
    /// The template, or `-` for standard input [default: the built template, else template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Option<PathBuf>,
    /// The template; the same as TEMPLATE.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub(crate) template_file: Option<PathBuf>,
    /// Ask for missing values (stack name, Region, parameters, capabilities), and offer to save the answers to
    /// samconfig.toml. Values of `NoEcho` parameters are neither shown nor saved.
    #[arg(short, long)]
    pub(crate) guided: bool,
    /// The same as saving the answers of `--guided`, which asks.
    #[arg(long, hide = true)]
    pub(crate) save_params: bool,
    /// Expand every loop before deploying, for endpoints that do not support loops.
    #[arg(long)]
    pub(crate) expand: bool,
    #[command(flatten)]
    pub(crate) stack: StackSettingsArgs,
    #[command(flatten)]
    pub(crate) change_set: ChangeSetArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) upload: UploadArgs,
    /// Print the result in this format: one line per stack output, or one JSON object.
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// Settings of the stack. Those that are not passed stay as they are.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Stack")]
pub(crate) struct StackSettingsArgs {
    /// Acknowledge capabilities, such as `CAPABILITY_IAM`.
    #[arg(long, value_name = "NAME", num_args = 0.., value_delimiter = ',')]
    pub(crate) capabilities: Vec<String>,
    /// Tag the stack and its resources: any number of `Key=Value`.
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    pub(crate) tags: Option<Vec<String>>,
    /// Let CloudFormation assume this role.
    #[arg(long, value_name = "ARN")]
    pub(crate) role_arn: Option<String>,
    /// Notify these SNS topics of stack events.
    #[arg(long, value_name = "ARN", num_args = 0..)]
    pub(crate) notification_arns: Option<Vec<String>>,
}

/// The change set, and whether it is executed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Change set")]
pub(crate) struct ChangeSetArgs {
    /// Name the change set [default: a unique name].
    #[arg(long, value_name = "NAME")]
    pub(crate) change_set_name: Option<String>,
    /// Create or update the stack [default: depends on whether the stack exists].
    #[arg(long, value_name = "TYPE", ignore_case = true)]
    pub(crate) change_set_type: Option<ChangeSetTypeArg>,
    /// Describe the change set.
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Roll back when one of these alarms goes off: the JSON that the AWS CLI takes, or `file://FILE` with it.
    #[arg(long, value_name = "JSON")]
    pub(crate) rollback_configuration: Option<String>,
    /// Let the change set change resources of these types only, such as `AWS::SQS::*`.
    #[arg(long, value_name = "TYPE", num_args = 0.., value_delimiter = ',')]
    pub(crate) resource_types: Option<Vec<String>>,
    /// Also show the changes in nested stacks.
    #[arg(long)]
    pub(crate) include_nested_stacks: bool,
    /// Do not let CloudFormation validate the change set before it can be executed.
    #[arg(long, visible_alias = "no-early-validation")]
    pub(crate) disable_validation: bool,
    /// Ask for confirmation before executing the change set.
    #[arg(long, overrides_with = "no_confirm_changeset")]
    pub(crate) confirm_changeset: bool,
    /// Do not ask, even if samconfig.toml sets it.
    #[arg(long, overrides_with = "confirm_changeset")]
    pub(crate) no_confirm_changeset: bool,
    /// Answer every question with yes, even when data may be lost.
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Also revert what was changed outside of CloudFormation: compare the actual state with the template.
    #[arg(long, conflicts_with_all = [
        "include_nested_stacks", "import_existing_resources", "resources_to_import",
    ])]
    pub(crate) revert_drift: bool,
    /// The same as `--revert-drift`.
    #[arg(long, hide = true, value_name = "MODE", ignore_case = true, conflicts_with_all = [
        "include_nested_stacks", "import_existing_resources", "resources_to_import",
    ])]
    pub(crate) deployment_mode: Option<DeploymentModeArg>,
    /// Import resources that exist already, instead of failing at their names. They need a `DeletionPolicy` of `Retain` or
    /// `RetainExceptOnCreate`.
    #[arg(long)]
    pub(crate) import_existing_resources: bool,
    /// Import the existing resources that this JSON or YAML file names, and change nothing else.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "import_existing_resources", "include_nested_stacks", "express", "replace_failed",
    ])]
    pub(crate) resources_to_import: Option<PathBuf>,
    /// Execute this change set, made earlier with --no-execute: its ARN, or its name with --stack-name. No template is
    /// needed.
    #[arg(long, value_name = "ARN", conflicts_with_all = [
        "parameter_overrides", "parameters_file", "parameter_set", "capabilities", "tags", "role_arn",
        "notification_arns", "change_set_name", "change_set_type", "description", "include_nested_stacks", "express",
        "no_express", "disable_validation", "s3_bucket", "bucket_name", "s3_prefix", "resolve_s3", "kms_key_id",
        "image_repository", "image_repositories", "resolve_image_repos", "expand", "import_existing_resources",
        "resources_to_import", "revert_drift", "deployment_mode", "guided", "no_execute", "rollback_configuration",
        "resource_types",
    ])]
    pub(crate) execute_change_set: Option<String>,
    /// Create the change set, but do not execute it.
    #[arg(long, visible_alias = "no-execute-changeset")]
    pub(crate) no_execute: bool,
    /// Exit with status 3 if there are no changes.
    #[arg(long, overrides_with = "no_fail_on_empty_changeset")]
    pub(crate) fail_on_empty_changeset: bool,
    /// Exit with status 0 if there are no changes, even if samconfig.toml sets the opposite.
    #[arg(long, overrides_with = "fail_on_empty_changeset")]
    pub(crate) no_fail_on_empty_changeset: bool,
}

/// How the deployment runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Deployment")]
pub(crate) struct RunArgs {
    /// Delete a stack that cannot be updated, such as one in `ROLLBACK_COMPLETE`, and create it again.
    #[arg(long)]
    pub(crate) replace_failed: bool,
    /// Wait for an operation in progress to end, and then deploy.
    #[arg(long)]
    pub(crate) wait: bool,
    /// Choose what happens to the stack if the deployment fails.
    #[arg(long, value_name = "WHAT", ignore_case = true)]
    pub(crate) on_failure: Option<OnFailureArg>,
    /// The same as `--on-failure do-nothing`.
    #[arg(long, alias = "no-rollback", short_alias = 'R', overrides_with = "no_disable_rollback")]
    pub(crate) disable_rollback: bool,
    /// Roll back, even if samconfig.toml sets the opposite.
    #[arg(long, alias = "rollback", overrides_with = "disable_rollback")]
    pub(crate) no_disable_rollback: bool,
    /// If the deployment fails, delete the resources that it created, whatever their `DeletionPolicy`.
    #[arg(long)]
    pub(crate) retain_except_on_create: bool,
    /// End when the configuration is applied, and let resources become ready, or go, in the background.
    #[arg(long, overrides_with = "no_express")]
    pub(crate) express: bool,
    /// Wait until every resource is ready, even if samconfig.toml sets the opposite.
    #[arg(long, overrides_with = "express")]
    pub(crate) no_express: bool,
    /// On Ctrl-C, cancel the update of the stack and follow its rollback.
    #[arg(long)]
    pub(crate) cancel_on_interrupt: bool,
    /// Stop following after this many minutes, with status 6. The deployment continues.
    #[arg(long, allow_negative_numbers = true, value_name = "MINUTES")]
    pub(crate) max_wait_duration: Option<f64>,
    /// Poll stack events every this many seconds.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = 2.0)]
    pub(crate) poll_delay: f64,
}

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Templates, directories and glob patterns, or `-` for standard input [default: template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Vec<PathBuf>,
    /// Pass over files and directories of these names or paths, unless they are named. Separated by commas; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Create a change set for `--stack-name`, print what early validation and hooks find, and delete it again.
    #[arg(long, requires = "stack_name")]
    pub(crate) change_set: bool,
    /// Describe the change set.
    #[arg(long, value_name = "TEXT", requires = "change_set", help_heading = "Change set")]
    pub(crate) description: Option<String>,
    /// Also validate the changes in nested stacks.
    #[arg(long, requires = "change_set", help_heading = "Change set")]
    pub(crate) include_nested_stacks: bool,
    /// Import resources that exist already, instead of failing at their names.
    #[arg(long, requires = "change_set", help_heading = "Change set")]
    pub(crate) import_existing_resources: bool,
    #[command(flatten)]
    pub(crate) stack: StackSettingsArgs,
    #[command(flatten)]
    pub(crate) upload: UploadArgs,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    #[command(flatten)]
    pub(crate) schemas: SchemaArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ChangeSetTypeArg {
    Create,
    Update,
    /// The type of `--resources-to-import`.
    #[value(hide = true)]
    Import,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum DeploymentModeArg {
    #[value(name = "REVERT_DRIFT")]
    RevertDrift,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OnFailureArg {
    /// Roll back to the previous state.
    #[value(name = "rollback")]
    RollBack,
    /// Keep the resources, for inspection.
    #[value(alias = "do_nothing")]
    DoNothing,
    /// Delete a stack that was being created; roll back an update.
    Delete,
}
