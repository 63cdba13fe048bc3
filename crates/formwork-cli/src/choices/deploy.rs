//! Converts the arguments of `deploy`, `validate --change-set` and `sync` to the options of the library.

use formwork_deploy::OnFailure;
use formwork_stacks::deploy::{ChangeSetChoices, ChangeSetType, DeployChoices, RunChoices, StackChoices};

use super::either;
use crate::args::{
    ChangeSetArgs, ChangeSetTypeArg, DeployArgs, OnFailureArg, ReportFormatArg, RunArgs, StackSettingsArgs,
    ValidateArgs,
};

impl From<&DeployArgs> for DeployChoices {
    fn from(args: &DeployArgs) -> DeployChoices {
        DeployChoices {
            template: args.template.clone().or_else(|| args.template_file.clone()),
            guided: args.guided,
            save_params: args.save_params,
            expand: args.expand,
            stack: (&args.stack).into(),
            change_set: (&args.change_set).into(),
            run: (&args.run).into(),
            upload: (&args.upload).into(),
            progress: args.upload.progress(&args.report),
            is_json: args.format == Some(ReportFormatArg::Json),
            schemas: args.schemas.schemas.clone(),
            no_schemas: args.schemas.no_schemas,
            inputs: (&args.inputs).into(),
            report: (&args.report).into(),
        }
    }
}

impl From<&StackSettingsArgs> for StackChoices {
    fn from(args: &StackSettingsArgs) -> StackChoices {
        StackChoices {
            capabilities: args.capabilities.clone(),
            tags: args.tags.clone(),
            role_arn: args.role_arn.clone(),
            notification_arns: args.notification_arns.clone(),
        }
    }
}

impl From<&ChangeSetArgs> for ChangeSetChoices {
    fn from(args: &ChangeSetArgs) -> ChangeSetChoices {
        ChangeSetChoices {
            change_set_name: args.change_set_name.clone(),
            change_set_type: args.change_set_type.map(|kind| match kind {
                ChangeSetTypeArg::Create => ChangeSetType::Create,
                ChangeSetTypeArg::Update => ChangeSetType::Update,
                ChangeSetTypeArg::Import => ChangeSetType::Import,
            }),
            description: args.description.clone(),
            rollback_configuration: args.rollback_configuration.clone(),
            resource_types: args.resource_types.clone(),
            include_nested_stacks: args.include_nested_stacks,
            disable_validation: args.disable_validation,
            confirm_changeset: either(args.confirm_changeset, args.no_confirm_changeset),
            yes: args.yes,
            reverts_drift: args.revert_drift || args.deployment_mode.is_some(),
            import_existing_resources: args.import_existing_resources,
            resources_to_import: args.resources_to_import.clone(),
            execute_change_set: args.execute_change_set.clone(),
            no_execute: args.no_execute,
            fail_on_empty_changeset: either(args.fail_on_empty_changeset, args.no_fail_on_empty_changeset),
        }
    }
}

impl From<&RunArgs> for RunChoices {
    fn from(args: &RunArgs) -> RunChoices {
        RunChoices {
            replace_failed: args.replace_failed,
            wait: args.wait,
            on_failure: args.on_failure.map(|given| match given {
                OnFailureArg::RollBack => OnFailure::RollBack,
                OnFailureArg::DoNothing => OnFailure::DoNothing,
                OnFailureArg::Delete => OnFailure::Delete,
            }),
            disable_rollback: either(args.disable_rollback, args.no_disable_rollback),
            retain_except_on_create: args.retain_except_on_create,
            express: either(args.express, args.no_express),
            cancel_on_interrupt: args.cancel_on_interrupt,
            max_wait_duration: args.max_wait_duration,
            poll_delay: args.poll_delay,
        }
    }
}

impl ValidateArgs {
    /// The deployment that `--change-set` begins.
    pub(crate) fn as_deployment(&self) -> DeployChoices {
        DeployChoices {
            template: self.template.first().cloned(),
            guided: false,
            save_params: false,
            expand: false,
            stack: (&self.stack).into(),
            change_set: ChangeSetChoices {
                description: self.description.clone(),
                include_nested_stacks: self.include_nested_stacks,
                import_existing_resources: self.import_existing_resources,
                no_execute: true,
                ..ChangeSetChoices::default()
            },
            run: RunChoices { poll_delay: 2.0, ..RunChoices::default() },
            upload: (&self.upload).into(),
            progress: self.upload.progress(&self.report),
            is_json: false,
            schemas: self.schemas.schemas.clone(),
            no_schemas: self.schemas.no_schemas,
            inputs: (&self.inputs).into(),
            report: (&self.report).into(),
        }
    }
}
