//! The resources of a stack.

use aws_sdk_cloudformation::types::StackResourceSummary;
use formwork_aws::Paging;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event_sink::EventSink;
use crate::retry::Retry;

const CALL: &str = "ListStackResources";

/// A resource of a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StackResource {
    /// Its logical ID, as it is after expansion.
    pub logical_id: String,
    /// Its name at its own service; none before it is created.
    pub physical_id: Option<String>,
    /// Its type.
    pub kind: String,
}

impl Calls {
    pub(crate) async fn list_resources(
        &mut self,
        stack: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<StackResource>, DeployError> {
        let (mut found, mut paging, mut next) = (Vec::new(), Paging::default(), None);
        let mut retry = Retry::asking(&self.intervals);
        loop {
            let call = self.client.list_stack_resources().stack_name(stack).set_next_token(next);
            let page = retry.ask(CALL, &mut self.deadline, sink, || call.clone().send()).await?;
            found.extend(page.stack_resource_summaries.unwrap_or_default().into_iter().filter_map(resource));
            next = paging.next(page.next_token).map_err(|source| DeployError::Call { call: CALL, source })?;
            if next.is_none() {
                return Ok(found);
            }
        }
    }
}

fn resource(summary: StackResourceSummary) -> Option<StackResource> {
    Some(StackResource {
        logical_id: summary.logical_resource_id?,
        physical_id: summary.physical_resource_id,
        kind: summary.resource_type?,
    })
}
