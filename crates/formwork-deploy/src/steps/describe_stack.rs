//! Describes the state of a stack.

use formwork_aws::{CallError, Element, QueryRequest};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::EXPRESS;
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

    /// Returns the stack; `None` when it does not exist.
    pub(crate) async fn stack(
        &mut self,
        stack: &str,
        mut retry: Retry,
        sink: &mut dyn EventSink,
    ) -> Result<Option<Stack>, DeployError> {
        let call = QueryRequest::new(CALL).with("StackName", stack);
        match retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await {
            Ok(answer) => Ok(answer.items("Stacks").first().map(Stack::from)),
            Err(DeployError::Call { source: failure, .. }) if is_absent(&failure, stack) => Ok(None),
            Err(stop) => Err(stop),
        }
    }
}

fn is_absent(failure: &CallError, stack: &str) -> bool {
    failure.sentence().is_some_and(|sentence| sentence.contains(&format!("Stack with id {stack} does not exist")))
}

impl From<&Element> for Stack {
    fn from(stack: &Element) -> Stack {
        let outputs = stack.items("Outputs").iter();
        let parameters = stack.items("Parameters").iter();
        let id = stack.string_of("StackId").or_else(|| stack.string_of("StackName"));
        Stack {
            id: id.unwrap_or_default(),
            name: stack.string_of("StackName").unwrap_or_default(),
            role: stack.string_of("RoleARN").filter(|role| !role.is_empty()),
            created: stack.string_of("CreationTime"),
            updated: stack.string_of("LastUpdatedTime"),
            status: stack.string_of("StackStatus").unwrap_or_default(),
            reason: stack.string_of("StackStatusReason"),
            parameters: parameters
                .filter_map(|one| Some((one.string_of("ParameterKey")?, one.string_of("ParameterValue")?)))
                .collect(),
            exports: outputs.clone().filter_map(|one| one.string_of("ExportName")).collect(),
            outputs: outputs
                .filter_map(|one| {
                    Some((one.string_of("OutputKey")?, one.string_of("OutputValue")?, one.string_of("Description")))
                })
                .collect(),
            is_express: stack.child("DeploymentConfig").and_then(|config| config.text_of("Mode")) == Some(EXPRESS),
            is_protected: stack.text_of("EnableTerminationProtection") == Some("true"),
        }
    }
}
