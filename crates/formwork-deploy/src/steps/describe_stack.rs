//! The state of a stack.

use aws_sdk_cloudformation::types;
use formwork_aws::CallError;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::stack_state::{Stack, StackState};

const CALL: &str = "DescribeStacks";

impl Calls {
    pub(crate) async fn describe_stack(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<StackState, DeployError> {
        let retry = Retry::asking(&self.intervals);
        self.stack(stack, retry, sink).await.map(StackState::of)
    }

    /// The stack; `None` when it does not exist.
    pub(crate) async fn stack(
        &mut self,
        stack: &str,
        mut retry: Retry,
        sink: &mut dyn EventSink,
    ) -> Result<Option<Stack>, DeployError> {
        let call = self.client.describe_stacks().stack_name(stack);
        match retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await {
            Ok(answer) => Ok(answer.stacks.unwrap_or_default().into_iter().next().map(Stack::from)),
            Err(DeployError::Call { source: failure, .. }) if is_absent(&failure, stack) => Ok(None),
            Err(stop) => Err(stop),
        }
    }
}

/// Whether the service reports that the stack does not exist.
fn is_absent(failure: &CallError, stack: &str) -> bool {
    failure.sentence().is_some_and(|sentence| sentence.contains(&format!("Stack with id {stack} does not exist")))
}

impl From<types::Stack> for Stack {
    fn from(stack: types::Stack) -> Stack {
        let parameters = stack.parameters.unwrap_or_default().into_iter();
        let outputs = stack.outputs.unwrap_or_default();
        let exports = outputs.iter().filter_map(|one| one.export_name.clone()).collect();
        Stack {
            id: stack.stack_id.or(stack.stack_name).unwrap_or_default(),
            status: stack.stack_status.map_or_else(String::new, |status| status.as_str().to_owned()),
            reason: stack.stack_status_reason,
            parameters: parameters.filter_map(|one| Some((one.parameter_key?, one.parameter_value?))).collect(),
            outputs: outputs
                .into_iter()
                .filter_map(|one| Some((one.output_key?, one.output_value?, one.description)))
                .collect(),
            exports,
            is_protected: stack.enable_termination_protection.unwrap_or(false),
        }
    }
}
