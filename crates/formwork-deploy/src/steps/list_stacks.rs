//! Lists all stacks of an account and Region.

use std::collections::HashSet;

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;
use crate::stack_summary::StackSummary;

const CALL: &str = "ListStacks";

const DELETED: &str = "DELETE_COMPLETE";

/// Every status but that of deleted stacks, of which a busy account has thousands.
const STATUSES: [&str; 22] = [
    "CREATE_IN_PROGRESS",
    "CREATE_FAILED",
    "CREATE_COMPLETE",
    "ROLLBACK_IN_PROGRESS",
    "ROLLBACK_FAILED",
    "ROLLBACK_COMPLETE",
    "DELETE_IN_PROGRESS",
    "DELETE_FAILED",
    "UPDATE_IN_PROGRESS",
    "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS",
    "UPDATE_COMPLETE",
    "UPDATE_FAILED",
    "UPDATE_ROLLBACK_IN_PROGRESS",
    "UPDATE_ROLLBACK_FAILED",
    "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS",
    "UPDATE_ROLLBACK_COMPLETE",
    "REVIEW_IN_PROGRESS",
    "IMPORT_IN_PROGRESS",
    "IMPORT_COMPLETE",
    "IMPORT_ROLLBACK_IN_PROGRESS",
    "IMPORT_ROLLBACK_FAILED",
    "IMPORT_ROLLBACK_COMPLETE",
];

impl Calls {
    pub(crate) async fn list_stacks(
        &mut self,
        with_deleted: bool,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackSummary>, DeployError> {
        let call = QueryRequest::new(CALL);
        let call = if with_deleted { call } else { call.with_list("StackStatusFilter", STATUSES) };
        let mut retry = Retry::asking(&self.intervals);
        let (mut paging, mut next, mut seen) = (self.listing(CALL)?, None::<String>, HashSet::new());
        let mut found: Vec<StackSummary> = Vec::new();
        loop {
            let call = call.clone().with_some("NextToken", next.as_deref());
            let page = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
            let stacks = page.items("StackSummaries").iter().map(StackSummary::from);
            found.extend(stacks.filter(|stack| {
                (with_deleted || stack.status != DELETED) && (stack.id.is_empty() || seen.insert(stack.id.clone()))
            }));
            next =
                paging.next(page.string_of("NextToken")).map_err(|source| DeployError::Call { call: CALL, source })?;
            if next.is_none() {
                found.sort_by(|a, b| (&a.name, &b.created).cmp(&(&b.name, &a.created)));
                return Ok(found);
            }
        }
    }
}
