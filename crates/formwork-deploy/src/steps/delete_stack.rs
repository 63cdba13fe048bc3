//! A stack is deleted.

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::OperationKind;
use crate::retry::Retry;
use crate::steps::follow::Operation;

const CALL: &str = "DeleteStack";

impl Calls {
    pub(crate) async fn delete_stack(
        &mut self,
        stack_id: &str,
        retained: &[String],
        role: Option<&str>,
        sink: &mut dyn EventSink,
    ) -> Result<Operation, DeployError> {
        let operation = self.about_to(OperationKind::Delete, stack_id, sink).await?;
        let call = self
            .client
            .delete_stack()
            .stack_name(stack_id)
            .set_role_arn(role.map(str::to_owned))
            .set_retain_resources((!retained.is_empty()).then(|| retained.to_vec()));
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await?;
        Ok(operation)
    }
}
