//! Arguments of `deploy` (reference/deploy.md#steps).

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use formwork_deploy::OnFailure;
use formwork_run::args::{InputArgs, SchemaArgs, ServerlessArgs, UploadArgs, either};
use formwork_run::console::{ReportArgs, ReportFormat};

/// The arguments of `deploy`.
#[derive(Clone, Debug, Args)]
pub struct DeployArgs {
    /// The template, or `-` for standard input [default: the built template, else template.yaml, template.yml or
    /// template.json].
    pub template: Option<PathBuf>,
    /// The template; the same as TEMPLATE.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub template_file: Option<PathBuf>,
    /// Ask for missing values (stack name, Region, parameters, capabilities), and offer to save the answers to
    /// samconfig.toml. Values of `NoEcho` parameters are neither shown nor saved.
    #[arg(short, long)]
    pub guided: bool,
    /// The same as saving the answers of `--guided`, which asks.
    #[arg(long, hide = true)]
    pub save_params: bool,
    /// Expand every loop before deploying, for endpoints that do not support loops.
    #[arg(long)]
    pub expand: bool,
    /// Who runs the serverless transform.
    #[command(flatten)]
    pub serverless: ServerlessArgs,
    /// Settings of the stack.
    #[command(flatten)]
    pub stack: StackSettingsArgs,
    /// The change set, and whether it is executed.
    #[command(flatten)]
    pub change_set: ChangeSetArgs,
    /// Options of the run.
    #[command(flatten)]
    pub run: RunArgs,
    /// Options of uploads.
    #[command(flatten)]
    pub upload: UploadArgs,
    /// Print the result in this format: one line per stack output, or one JSON object.
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// Options of the schemas of resource types.
    #[command(flatten)]
    pub schemas: SchemaArgs,
    /// Options of compilation.
    #[command(flatten)]
    pub inputs: InputArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// The arguments of `deploy` for one stack or for all.
#[derive(Clone, Debug, Args)]
pub struct DeployCommandArgs {
    /// The deployment of a stack.
    #[command(flatten)]
    pub one: DeployArgs,
    /// The stacks of a repository.
    #[command(flatten)]
    pub all: AllArgs,
}

/// The stacks of a repository.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "All stacks")]
pub struct AllArgs {
    /// Deploy all stacks of the repository, in the order of their links.
    ///
    /// TEMPLATE is a directory [default: the working directory].
    #[arg(long, conflicts_with_all = [
        "guided", "stack_name", "change_set_name", "resources_to_import", "execute_change_set", "template_file",
    ])]
    pub all: bool,
    /// With --all, deploy the stacks of these stages alone. Separated by commas.
    #[arg(long, visible_alias = "stage", value_name = "STAGES", value_delimiter = ',', requires = "all")]
    pub stages: Vec<String>,
    /// With --all, deploy this many stacks at a time.
    #[arg(long, value_name = "NUMBER", default_value_t = 4, requires = "all", value_parser = jobs)]
    pub jobs: usize,
    /// With --all, begin no further stack when one fails.
    #[arg(long, requires = "all")]
    pub fail_fast: bool,
}

fn jobs(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(number @ 1..=64) => Ok(number),
        _ => Err("it is not a number from 1 to 64".to_owned()),
    }
}

/// Settings of the stack. Those that are not passed stay as they are.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Stack")]
pub struct StackSettingsArgs {
    /// Acknowledge capabilities, such as `CAPABILITY_IAM`.
    #[arg(long, value_name = "NAME", num_args = 0.., value_delimiter = ',')]
    pub capabilities: Vec<String>,
    /// Tag the stack and its resources: any number of `Key=Value`.
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    pub tags: Option<Vec<String>>,
    /// Let CloudFormation assume this role.
    #[arg(long, value_name = "ARN")]
    pub role_arn: Option<String>,
    /// Notify these SNS topics of stack events.
    #[arg(long, value_name = "ARN", num_args = 0..)]
    pub notification_arns: Option<Vec<String>>,
}

/// The change set, and whether it is executed.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Change set")]
pub struct ChangeSetArgs {
    /// Name the change set [default: a unique name].
    #[arg(long, value_name = "NAME")]
    pub change_set_name: Option<String>,
    /// Create or update the stack [default: depends on whether the stack exists].
    #[arg(long, value_name = "TYPE", ignore_case = true)]
    pub change_set_type: Option<ChangeSetType>,
    /// Describe the change set.
    #[arg(long, value_name = "TEXT")]
    pub description: Option<String>,
    /// Roll back when one of these alarms goes off: the JSON that the AWS CLI takes, or `file://FILE` with it.
    #[arg(long, value_name = "JSON")]
    pub rollback_configuration: Option<String>,
    /// Let the change set change resources of these types only, such as `AWS::SQS::*`.
    #[arg(long, value_name = "TYPE", num_args = 0.., value_delimiter = ',')]
    pub resource_types: Option<Vec<String>>,
    /// Also show the changes in nested stacks.
    #[arg(long)]
    pub include_nested_stacks: bool,
    /// Do not let CloudFormation validate the change set before it can be executed.
    #[arg(long, visible_alias = "no-early-validation")]
    pub disable_validation: bool,
    /// Ask for confirmation before executing the change set.
    #[arg(long, overrides_with = "no_confirm_changeset")]
    pub confirm_changeset: bool,
    /// Do not ask, even if samconfig.toml sets it.
    #[arg(long, overrides_with = "confirm_changeset")]
    pub no_confirm_changeset: bool,
    /// Answer every question with yes, even when data may be lost.
    #[arg(short, long)]
    pub yes: bool,
    /// Also revert what was changed outside of CloudFormation: compare the actual state with the template.
    #[arg(long, conflicts_with_all = [
        "include_nested_stacks", "import_existing_resources", "resources_to_import",
    ])]
    pub revert_drift: bool,
    /// The same as `--revert-drift`.
    #[arg(long, hide = true, value_name = "MODE", ignore_case = true, conflicts_with_all = [
        "include_nested_stacks", "import_existing_resources", "resources_to_import",
    ])]
    pub deployment_mode: Option<DeploymentMode>,
    /// Import resources that exist already, instead of failing at their names. They need a `DeletionPolicy` of `Retain` or
    /// `RetainExceptOnCreate`.
    #[arg(long)]
    pub import_existing_resources: bool,
    /// Import the existing resources that this JSON or YAML file names, and change nothing else.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "import_existing_resources", "include_nested_stacks", "express", "replace_failed",
    ])]
    pub resources_to_import: Option<PathBuf>,
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
    pub execute_change_set: Option<String>,
    /// Create the change set, but do not execute it.
    #[arg(long, visible_alias = "no-execute-changeset")]
    pub no_execute: bool,
    /// Exit with status 3 if there are no changes.
    #[arg(long, overrides_with = "no_fail_on_empty_changeset")]
    pub fail_on_empty_changeset: bool,
    /// Exit with status 0 if there are no changes, even if samconfig.toml sets the opposite.
    #[arg(long, overrides_with = "fail_on_empty_changeset")]
    pub no_fail_on_empty_changeset: bool,
}

/// Options of the run.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Deployment")]
pub struct RunArgs {
    /// Delete a stack that cannot be updated, such as one in `ROLLBACK_COMPLETE`, and create it again.
    #[arg(long)]
    pub replace_failed: bool,
    /// Wait for an operation in progress to end, and then deploy.
    #[arg(long)]
    pub wait: bool,
    /// Choose what happens to the stack if the deployment fails.
    #[arg(long, value_name = "WHAT", ignore_case = true)]
    pub on_failure: Option<OnFailure>,
    /// The same as `--on-failure do-nothing`.
    #[arg(long, alias = "no-rollback", short_alias = 'R', overrides_with = "no_disable_rollback")]
    pub disable_rollback: bool,
    /// Roll back, even if samconfig.toml sets the opposite.
    #[arg(long, alias = "rollback", overrides_with = "disable_rollback")]
    pub no_disable_rollback: bool,
    /// If the deployment fails, delete the resources that it created, whatever their `DeletionPolicy`.
    #[arg(long)]
    pub retain_except_on_create: bool,
    /// End when the configuration is applied, and let resources become ready, or go, in the background.
    #[arg(long, overrides_with = "no_express")]
    pub express: bool,
    /// Wait until every resource is ready, even if samconfig.toml sets the opposite.
    #[arg(long, overrides_with = "express")]
    pub no_express: bool,
    /// On Ctrl-C, cancel the update of the stack and follow its rollback.
    #[arg(long)]
    pub cancel_on_interrupt: bool,
    /// Stop following after this many minutes, with status 6. The deployment continues.
    #[arg(long, allow_negative_numbers = true, value_name = "MINUTES")]
    pub max_wait_duration: Option<f64>,
    /// Poll stack events every this many seconds.
    #[arg(long, allow_negative_numbers = true, value_name = "SECONDS", default_value_t = 2.0)]
    pub poll_delay: f64,
}

impl DeployArgs {
    /// The template that the command line names.
    pub fn named(&self) -> Option<&PathBuf> {
        self.template.as_ref().or(self.template_file.as_ref())
    }
}

impl ChangeSetArgs {
    /// Returns whether what drifted is reverted.
    pub fn reverts_drift(&self) -> bool {
        self.revert_drift || self.deployment_mode.is_some()
    }

    /// Returns whether it is asked before it is executed, whatever `samconfig.toml` sets.
    pub fn confirms(&self) -> Option<bool> {
        either(self.confirm_changeset, self.no_confirm_changeset)
    }

    /// Returns whether no change is an error, whatever `samconfig.toml` sets.
    pub fn fails_when_empty(&self) -> Option<bool> {
        either(self.fail_on_empty_changeset, self.no_fail_on_empty_changeset)
    }
}

impl RunArgs {
    /// Returns whether a failed stack stays as it is, whatever `samconfig.toml` sets.
    pub fn disables_rollback(&self) -> Option<bool> {
        either(self.disable_rollback, self.no_disable_rollback)
    }

    /// Returns whether it is a deployment in express mode, whatever `samconfig.toml` sets.
    pub fn is_express(&self) -> Option<bool> {
        either(self.express, self.no_express)
    }
}

/// The type of a change set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[allow(missing_docs, reason = "a comment of a value is a line of the help")]
pub enum ChangeSetType {
    Create,
    Update,
    /// The type of `--resources-to-import`.
    #[value(hide = true)]
    Import,
}

/// The mode of a deployment, in the words of the AWS CLI.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
#[allow(missing_docs, reason = "a comment of a value is a line of the help")]
pub enum DeploymentMode {
    #[value(name = "REVERT_DRIFT")]
    RevertDrift,
}
