//! An update that is cancelled.

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

const CALL: &str = "CancelUpdateStack";

impl Calls {
    pub(crate) async fn cancel_update(&mut self, stack_id: &str, sink: &mut dyn EventSink) -> Result<(), DeployError> {
        let call = self.client.cancel_update_stack().stack_name(stack_id);
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await.map(drop)
    }
}
