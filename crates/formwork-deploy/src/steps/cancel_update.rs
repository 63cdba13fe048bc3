//! Cancels an update.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

const CALL: &str = "CancelUpdateStack";

impl Calls {
    pub(crate) async fn cancel_update(&mut self, stack_id: &str, sink: &mut dyn EventSink) -> Result<(), DeployError> {
        let call = QueryRequest::new(CALL).with("StackName", stack_id);
        let call = call.with("ClientRequestToken", &self.tokens.next_token());
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await.map(drop)
    }
}
