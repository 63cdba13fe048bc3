//! What commands around a stack ask: they change nothing.

use crate::diagnosis::Diagnosis;
use crate::endpoint::StackEndpoint;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::history::{EventScope, History};
use crate::log_event::{LogQuery, LogSink};
use crate::log_source::LogSource;
use crate::retry::Retry;
use crate::service::Service;
use crate::stack_resource::StackResource;
use crate::stack_state::Stack;
use crate::stack_summary::StackSummary;
use crate::unavailable::Unavailable;
use crate::validation::OperationEvent;

impl Service {
    /// Returns a stack; `None` when it does not exist.
    ///
    /// # Errors
    /// When it cannot be looked at.
    pub fn find_stack(&mut self, stack: &str, sink: &mut dyn EventSink) -> Result<Option<Stack>, DeployError> {
        let retry = Retry::asking(&self.calls.intervals);
        self.runtime.block_on(self.calls.stack(stack, retry, sink))
    }

    /// The account that is asked; `None` when it cannot be found out.
    pub fn account(&mut self) -> Option<String> {
        let Service { runtime, calls, .. } = self;
        runtime.block_on(async { calls.deadline.race(calls.client.account()).await.ok()?.ok() })
    }

    /// All stacks by name; those that were deleted only when they are wanted.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn list_stacks(
        &mut self,
        with_deleted: bool,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackSummary>, DeployError> {
        self.runtime.block_on(self.calls.list_stacks(with_deleted, sink))
    }

    /// The resources of a stack and of those nested in it, also those that were never created.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn all_resources(
        &mut self,
        stack_id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackResource>, DeployError> {
        self.runtime.block_on(self.calls.all_resources(stack_id, sink))
    }

    /// Why a stack failed, or that it did not.
    ///
    /// # Errors
    /// When its events cannot be listed, or the run ends early.
    pub fn diagnose(&mut self, stack: &Stack, sink: &mut dyn EventSink) -> Result<Diagnosis, DeployError> {
        self.runtime.block_on(self.calls.diagnose(stack, sink))
    }

    /// Where the functions and APIs among the resources of a stack are called, in their order.
    ///
    /// # Errors
    /// When the stages of an API cannot be listed.
    pub fn endpoints(
        &mut self,
        stack_id: &str,
        resources: &[StackResource],
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackEndpoint>, DeployError> {
        let region = self.region().to_owned();
        self.runtime.block_on(self.calls.endpoints(stack_id, &region, resources, sink))
    }

    /// The log groups that a resource writes to; none for a type without logs.
    ///
    /// # Errors
    /// When its service cannot be asked for them.
    pub fn log_groups(
        &mut self,
        resource: &StackResource,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<LogSource>, DeployError> {
        self.runtime.block_on(self.calls.log_groups(resource, sink))
    }

    /// Hands lines of logs to `sink`; with `tails`, until the run ends.
    ///
    /// # Errors
    /// When a log group cannot be read, and when the run ends early: one that tails has no other end.
    pub fn logs(
        &mut self,
        sources: &[LogSource],
        query: &LogQuery,
        tails: bool,
        sink: &mut dyn LogSink,
    ) -> Result<(), DeployError> {
        self.runtime.block_on(self.calls.logs(sources, query, tails, sink))
    }

    /// What happened to a stack, by its ARN, and to the ones nested in it.
    ///
    /// # Errors
    /// When its events cannot be listed.
    pub fn history(
        &mut self,
        stack_id: &str,
        scope: EventScope,
        sink: &mut dyn EventSink,
    ) -> Result<History, DeployError> {
        self.runtime.block_on(self.calls.history(stack_id, scope, sink))
    }

    /// What failed in a stack whose history is known, also before anything was done: findings of early validation, and
    /// hooks. Oldest first, without what was cancelled. The second value is why an answer is missing; then there may be
    /// more, which `history` has.
    ///
    /// # Errors
    /// When the run ends early.
    pub fn reported_failures(
        &mut self,
        history: &History,
        scope: &EventScope,
        sink: &mut dyn EventSink,
    ) -> Result<Result<Vec<OperationEvent>, Unavailable>, DeployError> {
        self.runtime.block_on(self.calls.reported_failures(history, scope, sink))
    }
}
