//! The choices of a command line for a deployment, as plain data.

use std::path::PathBuf;

use formwork_console::ReportChoices;
use formwork_deploy::OnFailure;
use formwork_run::upload::ProgressStyle;
use formwork_run::{InputChoices, UploadChoices};

use crate::local::LocalChoices;

/// The arguments of a deployment.
#[derive(Clone, Debug)]
pub struct DeployChoices {
    /// The template; by default the built one, otherwise that of the working directory.
    pub template: Option<PathBuf>,
    /// Asks for missing values.
    pub guided: bool,
    /// Set by `--save-params`, which has no effect without `guided`.
    pub save_params: bool,
    /// Expands every loop.
    pub expand: bool,
    /// Settings of the stack.
    pub stack: StackChoices,
    /// Settings of the change set.
    pub change_set: ChangeSetChoices,
    /// Settings of the operation.
    pub run: RunChoices,
    /// Destination of uploads.
    pub upload: UploadChoices,
    /// Form of the upload progress.
    pub progress: ProgressStyle,
    /// Prints JSON.
    pub is_json: bool,
    /// Directories with schemas.
    pub schemas: Vec<PathBuf>,
    /// Turns checks of properties off.
    pub no_schemas: bool,
    /// Inputs of the compilation.
    pub inputs: InputChoices,
    /// The form of the output.
    pub report: ReportChoices,
}

/// Settings of a stack. A missing setting leaves the stack as it is.
#[derive(Clone, Debug, Default)]
pub struct StackChoices {
    /// Acknowledged capabilities.
    pub capabilities: Vec<String>,
    /// Tags as `Key=Value`.
    pub tags: Option<Vec<String>>,
    /// The role that CloudFormation assumes.
    pub role_arn: Option<String>,
    /// ARNs of the topics that receive stack events.
    pub notification_arns: Option<Vec<String>>,
}

/// The type of a change set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeSetType {
    /// Creates a stack.
    Create,
    /// Updates a stack.
    Update,
    /// Imports resources.
    Import,
}

/// Settings of a change set and its execution.
#[derive(Clone, Debug, Default)]
pub struct ChangeSetChoices {
    /// Name of the change set.
    pub change_set_name: Option<String>,
    /// Type of the change set.
    pub change_set_type: Option<ChangeSetType>,
    /// Description of the change set.
    pub description: Option<String>,
    /// The rollback alarms as JSON, or `file://FILE`.
    pub rollback_configuration: Option<String>,
    /// Resource types that may change.
    pub resource_types: Option<Vec<String>>,
    /// Shows changes in nested stacks.
    pub include_nested_stacks: bool,
    /// Skips early validation.
    pub disable_validation: bool,
    /// Asks before the execution, or not; `None` leaves that to `samconfig.toml`.
    pub confirm_changeset: Option<bool>,
    /// Answers every question with yes.
    pub yes: bool,
    /// Reverts drift.
    pub reverts_drift: bool,
    /// Imports resources that exist already.
    pub import_existing_resources: bool,
    /// The file that lists the resources to import.
    pub resources_to_import: Option<PathBuf>,
    /// An existing change set to execute.
    pub execute_change_set: Option<String>,
    /// Leaves the change set unexecuted.
    pub no_execute: bool,
    /// Reports an empty change set as an error, or not; `None` leaves that to `samconfig.toml`.
    pub fail_on_empty_changeset: Option<bool>,
}

/// Settings of the operation.
#[derive(Clone, Debug, Default)]
pub struct RunChoices {
    /// Re-creates a stack that cannot be updated.
    pub replace_failed: bool,
    /// Waits for an operation in progress.
    pub wait: bool,
    /// The treatment of the stack if the deployment fails.
    pub on_failure: Option<OnFailure>,
    /// Leaves a failed stack as it is, or not; `None` leaves that to `samconfig.toml`.
    pub disable_rollback: Option<bool>,
    /// Deletes resources that a failed deployment created, whatever their `DeletionPolicy`.
    pub retain_except_on_create: bool,
    /// Express mode on or off; `None` leaves that to `samconfig.toml`.
    pub express: Option<bool>,
    /// Cancels the update on Ctrl-C.
    pub cancel_on_interrupt: bool,
    /// Minutes after which the deployment is no longer followed.
    pub max_wait_duration: Option<f64>,
    /// Seconds between two requests for events.
    pub poll_delay: f64,
}

impl DeployChoices {
    /// Returns the choices of the local part of a deployment.
    pub fn local(&self) -> LocalChoices {
        LocalChoices {
            inputs: self.inputs.clone(),
            is_strict: self.report.strict,
            schemas: self.schemas.clone(),
            has_no_schemas: self.no_schemas,
            upload: self.upload.clone(),
            expands: self.expand,
        }
    }
}
