//! Deletes a stack.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::{EXPRESS, OperationKind};
use crate::retry::Retry;
use crate::steps::follow::Operation;

const CALL: &str = "DeleteStack";

impl Calls {
    pub(crate) async fn delete_stack(
        &mut self,
        stack_id: &str,
        retained: &[String],
        role: Option<&str>,
        (is_express, is_forced): (bool, bool),
        sink: &mut dyn EventSink,
    ) -> Result<Operation, DeployError> {
        let operation = self.about_to(OperationKind::Delete, stack_id, sink).await?;
        let call = QueryRequest::new(CALL).with("StackName", stack_id).with_some("RoleARN", role);
        let call = call.with("ClientRequestToken", &self.tokens.next_token());
        let call = call.with_some("DeploymentConfig.Mode", is_express.then_some(EXPRESS));
        let call = call.with_some("DeletionMode", is_forced.then_some("FORCE_DELETE_STACK"));
        let call = match retained {
            [] => call,
            _ => call.with_list("RetainResources", retained.iter().map(String::as_str)),
        };
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(operation)
    }
}
