//! Deletes a change set that will not be executed.

use std::time::Duration;

use formwork_aws::{CallError, CallErrorKind, QueryRequest};

use crate::calls::Calls;
use crate::change_set::ChangeSetDeletion;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

const CALL: &str = "DeleteChangeSet";

/// Time limit of the deletion: the user wants the program to end.
const LIMIT: Duration = Duration::from_secs(30);

impl Calls {
    /// Deletes a change set; `None` when it does not exist.
    pub(crate) async fn delete_change_set(
        &mut self,
        stack: &str,
        change_set: &str,
        sink: &mut dyn EventSink,
    ) -> Option<ChangeSetDeletion> {
        let call = QueryRequest::new(CALL).with("ChangeSetName", change_set);
        let call = call.with_some("StackName", (!change_set.starts_with("arn:")).then_some(stack));
        let mut retry = Retry::parting(&self.intervals).uninterrupted();
        let deleted = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone()));
        let failure = match tokio::time::timeout(LIMIT, deleted).await {
            Ok(Ok(_)) => None,
            Ok(Err(DeployError::Call { source: failure, .. })) if is_absent(&failure) => return None,
            Ok(Err(DeployError::Call { source: failure, .. })) => Some(failure),
            Ok(Err(_)) | Err(_) => {
                Some(CallError { kind: CallErrorKind::TimedOut, code: None, detail: None, status: None })
            }
        };
        Some(ChangeSetDeletion { change_set: change_set.to_owned(), failure })
    }
}

/// `true` if the change set or its stack does not exist.
fn is_absent(failure: &CallError) -> bool {
    failure.kind == CallErrorKind::Refused
        && (matches!(failure.code.as_deref(), Some("ChangeSetNotFound" | "ChangeSetNotFoundException"))
            || failure.sentence().is_some_and(|sentence| sentence.contains("does not exist")))
}
