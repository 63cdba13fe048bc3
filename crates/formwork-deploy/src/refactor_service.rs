//! The synchronous methods of a stack refactor.

use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::service::Service;
use crate::stack_refactor::{StackRefactor, StackRefactorAction, StackRefactorRequest};
use crate::stack_state::StackState;
use crate::steps::stack_template::TemplateStage;
use crate::unavailable::Unavailable;

impl Service {
    /// Returns the text of the template of a stack.
    ///
    /// # Errors
    /// When the template cannot be read.
    pub fn stack_template(
        &mut self,
        stack: &str,
        stage: TemplateStage,
        sink: &mut dyn EventSink,
    ) -> Result<String, DeployError> {
        self.runtime.block_on(self.calls.stack_template(stack, stage, sink))
    }

    /// Returns the processed template of a stack, when it can be read after a few tries.
    pub(crate) fn processed_template(&mut self, stack: &str) -> Option<String> {
        self.runtime.block_on(self.calls.optional_template(stack))
    }

    /// Returns the policy of a stack, if it has one.
    ///
    /// # Errors
    /// When the policy cannot be read.
    pub fn stack_policy(&mut self, stack: &str) -> Result<Option<String>, Unavailable> {
        self.runtime.block_on(self.calls.stack_policy(stack))
    }

    /// Waits until no operation on a stack is in progress, and returns its state.
    ///
    /// # Errors
    /// When the stack cannot be described.
    pub fn until_stable(&mut self, stack: &str, sink: &mut dyn EventSink) -> Result<StackState, DeployError> {
        self.runtime.block_on(self.calls.until_stable(stack, sink))
    }

    /// Creates a refactor and returns its ID. Nothing changes yet.
    ///
    /// # Errors
    /// When the call fails.
    pub fn create_stack_refactor(
        &mut self,
        request: StackRefactorRequest<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<String, DeployError> {
        self.runtime.block_on(self.calls.create_stack_refactor(request, sink))
    }

    /// Waits until a refactor is created, or cannot be ([`StackRefactor::is_created`]).
    ///
    /// # Errors
    /// When the refactor cannot be described.
    pub fn until_refactor_is_created(
        &mut self,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<StackRefactor, DeployError> {
        self.runtime.block_on(self.calls.until_refactor_is_created(id, sink))
    }

    /// Returns the actions of a refactor.
    ///
    /// # Errors
    /// When the actions cannot be listed completely.
    pub fn stack_refactor_actions(
        &mut self,
        id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackRefactorAction>, DeployError> {
        self.runtime.block_on(self.calls.stack_refactor_actions(id, sink))
    }

    /// Executes a refactor, and waits for its end ([`StackRefactor::is_executed`]).
    ///
    /// # Errors
    /// When a call fails. The refactor continues.
    pub fn execute_stack_refactor(&mut self, id: &str, sink: &mut dyn EventSink) -> Result<StackRefactor, DeployError> {
        self.runtime.block_on(self.calls.execute_stack_refactor(id, sink))
    }
}
