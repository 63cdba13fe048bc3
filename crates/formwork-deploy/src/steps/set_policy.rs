//! The policy of a stack.

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
        let call = self.client.set_stack_policy().stack_name(stack).stack_policy_body(policy);
        let mut retry = Retry::parting(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await.map(drop)
    }
}
