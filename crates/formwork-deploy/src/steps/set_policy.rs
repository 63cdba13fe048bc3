//! Sets the policy of a stack.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

const CALL: &str = "SetStackPolicy";

impl Calls {
    pub(crate) async fn set_stack_policy(
        &mut self,
        stack: &str,
        policy: &str,
        sink: &mut dyn EventSink,
    ) -> Result<(), DeployError> {
        let call = QueryRequest::new(CALL).with("StackName", stack).with("StackPolicyBody", policy);
        let mut retry = Retry::parting(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await.map(drop)
    }
}
