//! Read-only requests of commands around a stack.

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
    /// When the stack cannot be described.
    pub fn find_stack(&mut self, stack: &str, sink: &mut dyn EventSink) -> Result<Option<Stack>, DeployError> {
        let retry = Retry::asking(&self.calls.intervals);
        self.runtime.block_on(self.calls.stack(stack, retry, sink))
    }

    /// Returns the account of the credentials; `None` when it cannot be found out.
    pub fn account(&mut self) -> Option<String> {
        let Service { runtime, calls, .. } = self;
        runtime.block_on(async { calls.deadline.race(calls.client.account()).await.ok()?.ok() })
    }

    /// Returns all stacks by name; deleted ones only on request.
    ///
    /// # Errors
    /// When the stacks cannot be listed.
    pub fn list_stacks(
        &mut self,
        with_deleted: bool,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackSummary>, DeployError> {
        self.runtime.block_on(self.calls.list_stacks(with_deleted, sink))
    }

    /// Returns the resources of a stack and of its nested stacks, including those that were never created.
    ///
    /// # Errors
    /// When the resources cannot be listed.
    pub fn all_resources(
        &mut self,
        stack_id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackResource>, DeployError> {
        self.runtime.block_on(self.calls.all_resources(stack_id, sink))
    }

    /// Diagnoses a stack, which may not have failed.
    ///
    /// # Errors
    /// When its events cannot be listed, or the run ends early.
    pub fn diagnose(&mut self, stack: &Stack, sink: &mut dyn EventSink) -> Result<Diagnosis, DeployError> {
        self.runtime.block_on(self.calls.diagnose(stack, sink))
    }

    /// Returns the endpoints of the functions and APIs among the resources of a stack, in their order.
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

    /// Returns the log groups that a resource writes to; empty for a type without logs.
    ///
    /// # Errors
    /// When the service of the resource cannot be queried.
    pub fn log_groups(
        &mut self,
        resource: &StackResource,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<LogSource>, DeployError> {
        self.runtime.block_on(self.calls.log_groups(resource, sink))
    }

    /// Passes lines of logs to `sink`; with `tails`, until the run ends.
    ///
    /// # Errors
    /// When a log group cannot be read, and when the run ends early: with `tails`, it has no other end.
    pub fn logs(
        &mut self,
        sources: &[LogSource],
        query: &LogQuery,
        tails: bool,
        sink: &mut dyn LogSink,
    ) -> Result<(), DeployError> {
        self.runtime.block_on(self.calls.logs(sources, query, tails, sink))
    }

    /// Returns the events of a stack, by its ARN, and of its nested stacks.
    ///
    /// # Errors
    /// When the events cannot be listed.
    pub fn history(
        &mut self,
        stack_id: &str,
        scope: EventScope,
        sink: &mut dyn EventSink,
    ) -> Result<History, DeployError> {
        self.runtime.block_on(self.calls.history(stack_id, scope, sink))
    }

    /// Returns the failures in a stack with this history, including those before any change: findings of early
    /// validation, and hooks. They come oldest first, without cancelled resources. The inner error is the reason of a
    /// missing answer; `history` may contain further failures then.
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
