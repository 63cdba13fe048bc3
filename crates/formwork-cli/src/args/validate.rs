//! Arguments of `validate` (reference/deploy.md#validate).

use std::path::PathBuf;

use clap::Args;

#[cfg(feature = "aws")]
use formwork_stacks::deploy::{ChangeSetArgs, DeployArgs, RunArgs, StackSettingsArgs};

use formwork_run::args::{InputArgs, SchemaArgs};
#[cfg(feature = "aws")]
use formwork_run::args::{ServerlessArgs, UploadArgs};
use formwork_run::check::SelectionArgs;
use formwork_run::console::ReportArgs;

#[derive(Debug, Args)]
pub(crate) struct ValidateArgs {
    /// Templates, directories and glob patterns, or `-` for standard input [default: template.yaml, template.yml or
    /// template.json].
    pub(crate) template: Vec<PathBuf>,
    /// Pass over files and directories of these names or paths, unless they are named. Separated by commas; repeatable.
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,
    /// Create a change set for `--stack-name`, print what early validation and hooks find, and delete it again.
    #[cfg(feature = "aws")]
    #[arg(long, requires = "stack_name")]
    pub(crate) change_set: bool,
    /// Describe the change set.
    #[cfg(feature = "aws")]
    #[arg(long, value_name = "TEXT", requires = "change_set", help_heading = "Change set")]
    pub(crate) description: Option<String>,
    /// Also validate the changes in nested stacks.
    #[cfg(feature = "aws")]
    #[arg(long, requires = "change_set", help_heading = "Change set")]
    pub(crate) include_nested_stacks: bool,
    /// Import resources that exist already, instead of failing at their names.
    #[cfg(feature = "aws")]
    #[arg(long, requires = "change_set", help_heading = "Change set")]
    pub(crate) import_existing_resources: bool,
    #[cfg(feature = "aws")]
    #[command(flatten)]
    pub(crate) stack: StackSettingsArgs,
    #[cfg(feature = "aws")]
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

#[cfg(feature = "aws")]
impl ValidateArgs {
    /// The deployment that `--change-set` begins.
    pub(crate) fn as_deployment(&self) -> DeployArgs {
        DeployArgs {
            serverless: ServerlessArgs::default(),
            template: self.template.first().cloned(),
            template_file: None,
            guided: false,
            save_params: false,
            expand: false,
            stack: self.stack.clone(),
            change_set: ChangeSetArgs {
                description: self.description.clone(),
                include_nested_stacks: self.include_nested_stacks,
                import_existing_resources: self.import_existing_resources,
                no_execute: true,
                ..ChangeSetArgs::default()
            },
            run: RunArgs { poll_delay: 2.0, ..RunArgs::default() },
            upload: self.upload.clone(),
            format: None,
            schemas: self.schemas.clone(),
            inputs: self.inputs.clone(),
            report: self.report,
        }
    }
}
