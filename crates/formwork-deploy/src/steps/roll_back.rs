//! Rolls back a stack whose update failed.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::{OperationEnd, OperationKind};
use crate::retry::Retry;

const CALL: &str = "RollbackStack";

impl Calls {
    pub(crate) async fn roll_back_stack(
        &mut self,
        stack_id: &str,
        role: Option<&str>,
        sink: &mut dyn EventSink,
    ) -> Result<OperationEnd, DeployError> {
        let mut operation = self.about_to(OperationKind::RollBack, stack_id, sink).await?;
        let call = QueryRequest::new(CALL).with("StackName", stack_id).with_some("RoleARN", role);
        let call = call.with("ClientRequestToken", &self.tokens.next_token());
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        self.follow(&mut operation, sink).await
    }
}
