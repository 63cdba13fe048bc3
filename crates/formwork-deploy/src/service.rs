//! The synchronous front.

use std::time::Duration;

use aws_sdk_cloudformation::Client;
use formwork_aws::{Settings, Trouble};
use tokio::runtime::Runtime;

use crate::change_set::ChangeSet;
use crate::pace::Pace;
use crate::proposal::{Proposal, TemplateSource};
use crate::standing::{Stack, Standing};
use crate::steps::discard::Withdrawn;
use crate::steps::propose::{Proposed, Unproposed};
use crate::steps::validate::Validated;
use crate::steps::watch::{Ended, Operation};
use crate::stop::Stop;
use crate::waiting::Waiting;
use crate::watcher::Watcher;

/// CloudFormation in one account and Region. Every method is a step of a deployment, and ends early
/// with a [`Stop`].
#[derive(Debug)]
pub struct Service {
    runtime: Runtime,
    region: String,
    calls: Calls,
}

/// What the steps work with.
#[derive(Debug)]
pub(crate) struct Calls {
    pub(crate) client: Client,
    pub(crate) pace: Pace,
    pub(crate) waiting: Waiting,
}

impl Service {
    /// Finds Region and credentials by the standard chain. Nothing is sent yet.
    ///
    /// # Errors
    /// When there is no Region or there are no credentials.
    pub fn open(settings: &Settings, pace: Pace) -> Result<Service, Trouble> {
        let runtime = formwork_aws::runtime().map_err(|error| Trouble::no_runtime(&error))?;
        let (config, region) = runtime.block_on(formwork_aws::lasting_configuration(settings))?;
        let calls = Calls { client: Client::new(&config), pace, waiting: Waiting::default() };
        Ok(Service { runtime, region, calls })
    }

    /// The Region that is deployed to.
    pub fn region(&self) -> &str {
        &self.region
    }

    /// Ends every step when `limit` is over, counted from now.
    pub fn limit(&mut self, limit: Duration) {
        self.calls.waiting.limit(limit);
    }

    /// Does `work` on a thread of its own, such as waiting for an answer of a person.
    ///
    /// # Errors
    /// When it is interrupted; the work is left alone then.
    pub fn alongside<T: Send + 'static>(
        &mut self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<Option<T>, Stop> {
        let Service { runtime, calls, .. } = self;
        runtime.block_on(async {
            let (sender, receiver) = tokio::sync::oneshot::channel();
            std::thread::spawn(move || sender.send(work()));
            calls.waiting.race(receiver).await.map(Result::ok)
        })
    }

    /// How the stack stands.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn look(&mut self, stack: &str, watcher: &mut dyn Watcher) -> Result<Standing, Stop> {
        self.runtime.block_on(self.calls.look(stack, watcher))
    }

    /// Waits until nothing goes on with the stack.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn settle(&mut self, stack: &Stack, watcher: &mut dyn Watcher) -> Result<Standing, Stop> {
        self.runtime.block_on(self.calls.settle(stack, watcher))
    }

    /// Deletes a stack and waits for it.
    ///
    /// # Errors
    /// When the call fails. How the deletion ended is in what is returned.
    pub fn remove(&mut self, stack_id: &str, role: Option<&str>, watcher: &mut dyn Watcher) -> Result<Ended, Stop> {
        self.runtime.block_on(self.calls.remove(stack_id, role, watcher))
    }

    /// Names of the parameters that the template of a stack declares.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn known_parameters(&mut self, stack: &str, watcher: &mut dyn Watcher) -> Result<Vec<String>, Stop> {
        self.runtime.block_on(self.calls.known_parameters(stack, watcher))
    }

    /// Creates a change set and waits until it is known what it would do.
    ///
    /// # Errors
    /// When a call fails; with the change set that is left, for [`Service::withdraw`].
    pub fn propose(&mut self, proposal: &Proposal, watcher: &mut dyn Watcher) -> Result<Proposed, Unproposed> {
        self.runtime.block_on(self.calls.propose(proposal, watcher))
    }

    /// Deletes a change set that nobody will execute, named by ARN or name. `None` when there is none.
    pub fn withdraw(&mut self, stack: &str, change_set: &str, watcher: &mut dyn Watcher) -> Option<Withdrawn> {
        self.runtime.block_on(self.calls.withdraw(stack, change_set, watcher))
    }

    /// Executes a change set. What then happens is for [`Service::watch`].
    ///
    /// # Errors
    /// When a call fails.
    pub fn execute(
        &mut self,
        change_set: &ChangeSet,
        is_create: bool,
        disables_rollback: bool,
        watcher: &mut dyn Watcher,
    ) -> Result<Operation, Stop> {
        self.runtime.block_on(self.calls.execute(change_set, is_create, disables_rollback, watcher))
    }

    /// Follows an operation to its end.
    ///
    /// # Errors
    /// When a call fails for good. The operation goes on.
    pub fn watch(&mut self, operation: &mut Operation, watcher: &mut dyn Watcher) -> Result<Ended, Stop> {
        self.runtime.block_on(self.calls.watch(operation, watcher))
    }

    /// Rolls a stack back whose update failed, and waits for it.
    ///
    /// # Errors
    /// When a call fails.
    pub fn roll_back(&mut self, stack_id: &str, role: Option<&str>, watcher: &mut dyn Watcher) -> Result<Ended, Stop> {
        self.runtime.block_on(self.calls.roll_back(stack_id, role, watcher))
    }

    /// Asks the service to cancel an update.
    ///
    /// # Errors
    /// When the call fails.
    pub fn cancel(&mut self, stack_id: &str, watcher: &mut dyn Watcher) -> Result<(), Stop> {
        self.runtime.block_on(self.calls.cancel(stack_id, watcher))
    }

    /// The outputs of a stack and what they are, by name.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn outputs(
        &mut self,
        stack: &str,
        watcher: &mut dyn Watcher,
    ) -> Result<Vec<(String, String, Option<String>)>, Stop> {
        self.runtime.block_on(self.calls.outputs(stack, watcher))
    }

    /// Sets the policy of a stack.
    ///
    /// # Errors
    /// When the call fails.
    pub fn set_policy(&mut self, stack: &str, policy: &str, watcher: &mut dyn Watcher) -> Result<(), Stop> {
        self.runtime.block_on(self.calls.set_policy(stack, policy, watcher))
    }

    /// What the service says of a template.
    ///
    /// # Errors
    /// When it refuses the template, or a call fails.
    pub fn validate(&mut self, template: &TemplateSource, watcher: &mut dyn Watcher) -> Result<Validated, Stop> {
        self.runtime.block_on(self.calls.validate(template, watcher))
    }
}
