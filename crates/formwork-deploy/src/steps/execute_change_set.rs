//! Executes a change set.

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::change_set::ChangeSet;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::operation::OperationKind;
use crate::retry::Retry;
use crate::steps::follow::Operation;

const CALL: &str = "ExecuteChangeSet";

impl Calls {
    pub(crate) async fn execute_change_set(
        &mut self,
        change_set: &ChangeSet,
        is_create: bool,
        (disables_rollback, retains_except_on_create): (bool, bool),
        sink: &mut dyn EventSink,
    ) -> Result<Operation, DeployError> {
        let kind = if is_create { OperationKind::Create } else { OperationKind::Update };
        let operation = self.about_to(kind, &change_set.stack_id, sink).await?;
        let call = QueryRequest::new(CALL)
            .with("ChangeSetName", &change_set.id)
            // A repeated request, after a lost answer, is one execution.
            .with("ClientRequestToken", &self.tokens.next_token())
            .with_some("DisableRollback", disables_rollback.then_some("true"))
            .with_some("RetainExceptOnCreate", retains_except_on_create.then_some("true"));
        let mut retry = Retry::asking(&self.intervals).uninterrupted();
        retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        Ok(operation)
    }
}
