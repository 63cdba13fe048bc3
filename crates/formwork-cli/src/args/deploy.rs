//! Arguments of `deploy` and `validate` (reference/deploy.md#steps).

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{InputArgs, ReportArgs, ReportFormatArg, SelectionArgs, UploadArgs};

#[derive(Debug, Args)]
pub(crate) struct DeployArgs {
    /// The template; `-` for standard input. By default the built one, else that of the working directory.
    pub(crate) template: Option<PathBuf>,
    /// The template, as the AWS CLI takes it.
    #[arg(short, long, visible_alias = "template", value_name = "FILE", conflicts_with = "template")]
    pub(crate) template_file: Option<PathBuf>,
    /// Ask for what is missing (stack name, Region, parameters, capabilities), and offer to save the answers in
    /// samconfig.toml. Values of `NoEcho` parameters are not shown and never saved.
    #[arg(short, long)]
    pub(crate) guided: bool,
    /// Send the template with every loop unrolled, for services that cannot run loops.
    #[arg(long)]
    pub(crate) expand: bool,
    #[command(flatten)]
    pub(crate) stack: StackArgs,
    #[command(flatten)]
    pub(crate) change_set: ChangeSetArgs,
    #[command(flatten)]
    pub(crate) run: RunArgs,
    #[command(flatten)]
    pub(crate) upload: UploadArgs,
    /// Form of the result on standard output: a line for each output of the stack, or one JSON object
    /// about the deployment.
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub(crate) format: Option<ReportFormatArg>,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

/// What the stack is given besides its template. What is not given stays as the stack has it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Stack")]
pub(crate) struct StackArgs {
    /// Capabilities that are acknowledged, such as `CAPABILITY_IAM`.
    #[arg(long, value_name = "NAME", num_args = 0.., value_delimiter = ',')]
    pub(crate) capabilities: Vec<String>,
    /// Tags of the stack and of what is in it: `Key=Value`, any number.
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    pub(crate) tags: Option<Vec<String>>,
    /// The role that CloudFormation takes on for this stack.
    #[arg(long, value_name = "ARN")]
    pub(crate) role_arn: Option<String>,
    /// Topics that are told of the events of the stack.
    #[arg(long, value_name = "ARN", num_args = 0..)]
    pub(crate) notification_arns: Option<Vec<String>>,
}

/// The change set, and whether it is executed.
#[derive(Debug, Args)]
#[command(next_help_heading = "Change set")]
pub(crate) struct ChangeSetArgs {
    /// Name of the change set; by default one that nobody has.
    #[arg(long, value_name = "NAME")]
    pub(crate) change_set_name: Option<String>,
    /// Whether the stack is created or updated; by default as it stands.
    #[arg(long, value_name = "TYPE", ignore_case = true)]
    pub(crate) change_set_type: Option<ChangeSetTypeArg>,
    /// Description of the change set.
    #[arg(long, value_name = "TEXT")]
    pub(crate) description: Option<String>,
    /// Show the changes inside nested stacks, too.
    #[arg(long)]
    pub(crate) include_nested_stacks: bool,
    /// Ask before the change set is executed.
    #[arg(long, overrides_with = "no_confirm_changeset")]
    pub(crate) confirm_changeset: bool,
    /// Do not ask, whatever samconfig.toml says.
    #[arg(long, overrides_with = "confirm_changeset")]
    pub(crate) no_confirm_changeset: bool,
    /// Answer every question with yes: also when data may be lost.
    #[arg(short, long)]
    pub(crate) yes: bool,
    /// Leave the change set unexecuted.
    #[arg(long, visible_alias = "no-execute-changeset")]
    pub(crate) no_execute: bool,
    /// End with status 3 when there is nothing to change.
    #[arg(long, overrides_with = "no_fail_on_empty_changeset")]
    pub(crate) fail_on_empty_changeset: bool,
    /// End with status 0 when there is nothing to change, whatever samconfig.toml says.
    #[arg(long, overrides_with = "fail_on_empty_changeset")]
    pub(crate) no_fail_on_empty_changeset: bool,
}

/// How the deployment runs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Deployment")]
pub(crate) struct RunArgs {
    /// Delete a stack that cannot be updated, such as one in `ROLLBACK_COMPLETE`, and create it anew.
    #[arg(long)]
    pub(crate) replace_failed: bool,
    /// Wait for what goes on with the stack to end, and then deploy.
    #[arg(long)]
    pub(crate) wait: bool,
    /// What becomes of the stack when the deployment fails.
    #[arg(long, value_name = "WHAT", ignore_case = true)]
    pub(crate) on_failure: Option<OnFailureArg>,
    /// The same as `--on-failure do-nothing`.
    #[arg(long, overrides_with = "no_disable_rollback")]
    pub(crate) disable_rollback: bool,
    /// Roll back, whatever samconfig.toml says.
    #[arg(long, overrides_with = "disable_rollback")]
    pub(crate) no_disable_rollback: bool,
    /// At Ctrl-C, cancel the update of the stack and watch it go back.
    #[arg(long)]
    pub(crate) cancel_on_interrupt: bool,
    /// Stop watching after so many minutes, with status 6. The deployment goes on.
    #[arg(long, value_name = "MINUTES")]
    pub(crate) max_wait_duration: Option<f64>,
    /// Seconds between two looks at the events of the stack.
    #[arg(long, value_name = "SECONDS", default_value_t = 2.0)]
    pub(crate) poll_delay: f64,
}

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Templates, directories and patterns; `-` for standard input. By default the template of the working directory.
    pub(crate) template: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) selection: SelectionArgs,
    #[command(flatten)]
    pub(crate) inputs: InputArgs,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum ChangeSetTypeArg {
    Create,
    Update,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub(crate) enum OnFailureArg {
    /// The stack goes back to what it was.
    #[value(name = "rollback")]
    RollBack,
    /// What was done stays, for a look at it.
    #[value(alias = "do_nothing")]
    DoNothing,
    /// A stack that never worked is deleted; an update goes back.
    Delete,
}
