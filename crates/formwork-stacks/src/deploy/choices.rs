//! What the words of a command line choose for a deployment, as plain data.

use std::path::PathBuf;

use formwork_console::ReportChoices;
use formwork_deploy::OnFailure;
use formwork_run::upload::ProgressStyle;
use formwork_run::{InputChoices, UploadChoices};

use crate::local::LocalChoices;

/// What is wanted of a deployment.
#[derive(Clone, Debug)]
pub struct DeployChoices {
    /// The template; by default the built one, else that of the working directory.
    pub template: Option<PathBuf>,
    /// Whether what is missing is asked for.
    pub guided: bool,
    /// Whether the answers were to be saved without questions.
    pub save_params: bool,
    /// Whether every loop is expanded.
    pub expand: bool,
    /// Settings of the stack.
    pub stack: StackChoices,
    /// The change set.
    pub change_set: ChangeSetChoices,
    /// How the deployment runs.
    pub run: RunChoices,
    /// Where files go.
    pub upload: UploadChoices,
    /// How uploads are reported.
    pub progress: ProgressStyle,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// Directories with schemas.
    pub schemas: Vec<PathBuf>,
    /// Whether properties are not checked.
    pub no_schemas: bool,
    /// What the template is compiled with.
    pub inputs: InputChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}

/// Settings of a stack. Those that are not there stay as they are.
#[derive(Clone, Debug, Default)]
pub struct StackChoices {
    /// Capabilities that are acknowledged.
    pub capabilities: Vec<String>,
    /// Words `Key=Value`.
    pub tags: Option<Vec<String>>,
    /// The role that CloudFormation assumes.
    pub role_arn: Option<String>,
    /// Topics that hear of events.
    pub notification_arns: Option<Vec<String>>,
}

/// The type of a change set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeSetType {
    /// It creates a stack.
    Create,
    /// It changes one.
    Update,
    /// It imports resources.
    Import,
}

/// A change set, and whether it is executed.
#[derive(Clone, Debug, Default)]
pub struct ChangeSetChoices {
    /// Its name.
    pub change_set_name: Option<String>,
    /// Its type.
    pub change_set_type: Option<ChangeSetType>,
    /// Its description.
    pub description: Option<String>,
    /// The JSON of alarms that roll back, or `file://FILE`.
    pub rollback_configuration: Option<String>,
    /// Types whose resources may change.
    pub resource_types: Option<Vec<String>>,
    /// Whether changes in nested stacks are shown.
    pub include_nested_stacks: bool,
    /// Whether nothing is validated before it can be executed.
    pub disable_validation: bool,
    /// Whether it is asked before it is executed, whatever `samconfig.toml` sets.
    pub confirm_changeset: Option<bool>,
    /// Whether every question is answered with yes.
    pub yes: bool,
    /// Whether what drifted is reverted.
    pub reverts_drift: bool,
    /// Whether resources that exist are imported.
    pub import_existing_resources: bool,
    /// The file that names resources that are imported.
    pub resources_to_import: Option<PathBuf>,
    /// The change set of earlier that is executed.
    pub execute_change_set: Option<String>,
    /// Whether it is left unexecuted.
    pub no_execute: bool,
    /// Whether no change is an error, whatever `samconfig.toml` sets.
    pub fail_on_empty_changeset: Option<bool>,
}

/// How a deployment runs.
#[derive(Clone, Debug, Default)]
pub struct RunChoices {
    /// Whether a stack that cannot be updated is created again.
    pub replace_failed: bool,
    /// Whether an operation in progress is waited for.
    pub wait: bool,
    /// What becomes of the stack if the deployment fails.
    pub on_failure: Option<OnFailure>,
    /// Whether a failed stack stays as it is, whatever `samconfig.toml` sets.
    pub disable_rollback: Option<bool>,
    /// Whether what a failed deployment created goes, whatever its `DeletionPolicy`.
    pub retain_except_on_create: bool,
    /// Whether it is one in express mode, whatever `samconfig.toml` sets.
    pub express: Option<bool>,
    /// Whether Ctrl-C cancels the update.
    pub cancel_on_interrupt: bool,
    /// The minutes after which it is not followed any more.
    pub max_wait_duration: Option<f64>,
    /// The seconds between looks at events.
    pub poll_delay: f64,
}

impl DeployChoices {
    /// What is chosen for the part that needs no service.
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
