//! The synchronous interface of the steps.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use formwork_aws::{AwsError, CloudFormation, Interrupt, JsonServices, Pages, Settings};
use tokio::runtime::Runtime;

use crate::calls::Calls;
use crate::change_set::ChangeSet;
use crate::change_set::ChangeSetDeletion;
use crate::deadline::Deadline;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::examination::Examination;
use crate::existing_change_set::ExistingChangeSet;
use crate::operation::OperationEnd;
use crate::poll_intervals::PollIntervals;
use crate::recorded_stack::RecordedStack;
use crate::stack_resource::StackResource;
use crate::stack_state::{Stack, StackState};
use crate::steps::create_change_set::{ChangeSetNotCreated, CreatedChangeSet};
use crate::steps::examine::Examined;
use crate::steps::follow::Operation;
use crate::steps::resource_identifiers::ResourceIdentifiers;
use crate::steps::stack_resources::StackContents;
use crate::steps::validate::ValidatedTemplate;
use crate::submission::{ChangeSetRequest, TemplateSource};
use crate::unavailable::Unavailable;
use crate::unique_name::Tokens;

/// CloudFormation in one account and Region. Every method is a step of a deployment, and ends early with a
/// [`DeployError`].
#[derive(Debug)]
pub struct Service {
    pub(crate) runtime: Runtime,
    settings: Settings,
    region: String,
    pub(crate) calls: Calls,
}

impl Service {
    /// Resolves Region and credentials by the standard chain. Nothing is sent yet.
    ///
    /// # Errors
    /// When the Region or the credentials are missing.
    pub fn open(settings: &Settings, intervals: PollIntervals) -> Result<Service, AwsError> {
        let runtime = formwork_aws::runtime().map_err(|error| AwsError::no_runtime(&error))?;
        let (config, region) = runtime.block_on(formwork_aws::lasting_configuration(settings))?;
        let calls = Calls {
            client: CloudFormation::new(&config, &region),
            services: JsonServices::new(&config, &region),
            intervals,
            deadline: Deadline::default(),
            tokens: Tokens::new(),
            pages: Pages::default(),
            includes_values: false,
            unsupported: HashMap::new(),
        };
        let settings = Settings { region: Some(region.clone()), ..settings.clone() };
        Ok(Service { runtime, settings, region, calls })
    }

    /// Returns the Region of the deployment.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Ends every step after `limit`, counted from now.
    pub fn limit(&mut self, limit: Duration) {
        self.calls.deadline.limit(limit);
    }

    /// Runs `work` on a thread of its own, such as waiting for an answer of a person.
    ///
    /// # Errors
    /// When it is interrupted; the work is left alone then.
    pub fn alongside<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, DeployError> {
        let Service { runtime, calls, .. } = self;
        runtime.block_on(async {
            let (sender, receiver) = tokio::sync::oneshot::channel();
            let work = Arc::new(Mutex::new(Some(work)));
            let take = |work: &Mutex<Option<_>>| work.lock().unwrap_or_else(PoisonError::into_inner).take();
            let own = Arc::clone(&work);
            let started = std::thread::Builder::new().spawn(move || {
                if let Some(work) = take(&own) {
                    let _ = sender.send(work());
                }
            });
            // When the system cannot create a thread, this one does the work.
            if started.is_err() {
                return Ok(take(&work).map(|work| work()));
            }
            calls.deadline.race(receiver).await.map(Result::ok)
        })
    }

    /// Returns the state of a stack.
    ///
    /// # Errors
    /// When the stack cannot be described.
    pub fn describe_stack(&mut self, stack: &str, sink: &mut dyn EventSink) -> Result<StackState, DeployError> {
        self.runtime.block_on(self.calls.describe_stack(stack, sink))
    }

    /// Waits until no operation on the stack is in progress.
    ///
    /// # Errors
    /// When the stack cannot be described.
    pub fn wait_until_idle(&mut self, stack: &Stack, sink: &mut dyn EventSink) -> Result<StackState, DeployError> {
        self.runtime.block_on(self.calls.wait_until_idle(stack, sink))
    }

    pub(crate) fn stack_resources(
        &mut self,
        stack_id: &str,
        retained: &[String],
        sink: &mut dyn EventSink,
    ) -> Result<StackContents, DeployError> {
        self.runtime.block_on(self.calls.stack_resources(stack_id, retained, sink))
    }

    pub(crate) fn importing_stacks(
        &mut self,
        export: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<String>, DeployError> {
        self.runtime.block_on(self.calls.importing_stacks(export, sink))
    }

    pub(crate) fn empty_bucket(&self, bucket: &str, interrupt: &Interrupt, count: &mut u64) -> Result<(), AwsError> {
        formwork_aws::empty_bucket(&self.settings, bucket, interrupt, count)
    }

    pub(crate) fn delete_objects(&self, bucket: &str, keys: &[String]) -> Result<u64, AwsError> {
        formwork_aws::delete_objects(&self.settings, bucket, keys)
    }

    /// Deletes a stack, in express mode or by force if requested. [`Service::follow`] follows the deletion.
    ///
    /// # Errors
    /// When a call fails.
    pub fn delete_stack(
        &mut self,
        stack_id: &str,
        retained: &[String],
        role: Option<&str>,
        (is_express, is_forced): (bool, bool),
        sink: &mut dyn EventSink,
    ) -> Result<Operation, DeployError> {
        let how = (is_express, is_forced);
        self.runtime.block_on(self.calls.delete_stack(stack_id, retained, role, how, sink))
    }

    /// Returns the names of the parameters that the template of a stack declares.
    ///
    /// # Errors
    /// When the template cannot be described.
    pub fn known_parameters(&mut self, stack: &str, sink: &mut dyn EventSink) -> Result<Vec<String>, DeployError> {
        self.runtime.block_on(self.calls.known_parameters(stack, sink))
    }

    /// Creates a change set and waits until its changes are known.
    ///
    /// # Errors
    /// When a call fails; with the change set that is left, for [`Service::delete_change_set`].
    pub fn create_change_set(
        &mut self,
        request: ChangeSetRequest<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<CreatedChangeSet, ChangeSetNotCreated> {
        self.runtime.block_on(self.calls.create_change_set(request, sink))
    }

    pub(crate) fn examine(&mut self, set: Examined<'_>, sink: &mut dyn EventSink) -> Result<Examination, DeployError> {
        self.runtime.block_on(self.calls.examine(set, sink))
    }

    pub(crate) fn examine_operation(
        &mut self,
        operation: &Operation,
        has_failed: bool,
        sink: &mut dyn EventSink,
    ) -> Result<Examination, DeployError> {
        let what = (&operation.invalid[..], &operation.failed_hooks[..], has_failed);
        self.runtime.block_on(self.calls.examine_operation(what, sink))
    }

    pub(crate) fn describe_existing(
        &mut self,
        stack: Option<&str>,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<ExistingChangeSet, DeployError> {
        self.runtime.block_on(self.calls.describe_existing(stack, id, sink))
    }

    pub(crate) fn resource_identifiers(
        &mut self,
        template: &TemplateSource,
    ) -> Result<Vec<ResourceIdentifiers>, Unavailable> {
        self.runtime.block_on(self.calls.resource_identifiers(template))
    }

    /// Deletes a change set that will not be executed, by ARN or name. `None` when it does not exist.
    pub fn delete_change_set(
        &mut self,
        stack: &str,
        change_set: &str,
        sink: &mut dyn EventSink,
    ) -> Option<ChangeSetDeletion> {
        self.runtime.block_on(self.calls.delete_change_set(stack, change_set, sink))
    }

    /// Executes a change set, optionally without rollback or without retaining resources of a failed creation.
    /// [`Service::follow`] follows the operation.
    ///
    /// # Errors
    /// When a call fails.
    pub fn execute_change_set(
        &mut self,
        change_set: &ChangeSet,
        is_create: bool,
        (disables_rollback, retains_except_on_create): (bool, bool),
        sink: &mut dyn EventSink,
    ) -> Result<Operation, DeployError> {
        let how = (disables_rollback, retains_except_on_create);
        self.runtime.block_on(self.calls.execute_change_set(change_set, is_create, how, sink))
    }

    /// Follows an operation to its end.
    ///
    /// # Errors
    /// When a call fails permanently. The operation continues.
    pub fn follow(&mut self, operation: &mut Operation, sink: &mut dyn EventSink) -> Result<OperationEnd, DeployError> {
        self.runtime.block_on(self.calls.follow(operation, sink))
    }

    /// Rolls back a stack whose update failed, and waits for the end.
    ///
    /// # Errors
    /// When a call fails.
    pub fn roll_back_stack(
        &mut self,
        stack_id: &str,
        role: Option<&str>,
        sink: &mut dyn EventSink,
    ) -> Result<OperationEnd, DeployError> {
        self.runtime.block_on(self.calls.roll_back_stack(stack_id, role, sink))
    }

    /// Requests the cancellation of an update.
    ///
    /// # Errors
    /// When the call fails.
    pub fn cancel_update(&mut self, stack_id: &str, sink: &mut dyn EventSink) -> Result<(), DeployError> {
        self.runtime.block_on(self.calls.cancel_update(stack_id, sink))
    }

    /// Returns the outputs of a stack by name: name, value, description.
    ///
    /// # Errors
    /// When the stack cannot be described.
    pub fn stack_outputs(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<(String, String, Option<String>)>, DeployError> {
        self.runtime.block_on(self.calls.stack_outputs(stack, sink))
    }

    /// Records an existing stack, by its ARN, and its nested stacks, for comparison with a template.
    ///
    /// # Errors
    /// When one of the stacks cannot be described.
    pub fn record_stack(&mut self, stack_id: &str, sink: &mut dyn EventSink) -> Result<RecordedStack, DeployError> {
        self.runtime.block_on(self.calls.record_stack(stack_id, sink))
    }

    /// Returns the resources of a stack, without those of nested stacks.
    ///
    /// # Errors
    /// When the resources cannot be listed.
    pub fn list_resources(&mut self, stack: &str, sink: &mut dyn EventSink) -> Result<Vec<StackResource>, DeployError> {
        self.runtime.block_on(self.calls.list_resources(stack, sink))
    }

    /// Sets the policy of a stack.
    ///
    /// # Errors
    /// When the call fails.
    pub fn set_stack_policy(&mut self, stack: &str, policy: &str, sink: &mut dyn EventSink) -> Result<(), DeployError> {
        self.runtime.block_on(self.calls.set_stack_policy(stack, policy, sink))
    }

    /// Validates a template with CloudFormation.
    ///
    /// # Errors
    /// When CloudFormation rejects the template, or a call fails.
    pub fn validate_template(
        &mut self,
        template: &TemplateSource,
        sink: &mut dyn EventSink,
    ) -> Result<ValidatedTemplate, DeployError> {
        self.runtime.block_on(self.calls.validate_template(template, sink))
    }
}
