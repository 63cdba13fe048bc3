//! Lists the events of an operation, with the findings of early validation.

use std::collections::HashSet;

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::event_sink::EventSink;
use crate::unavailable::Unavailable;
use crate::validation::OperationEvent;

const CALL: &str = "DescribeEvents";

/// Selects the events to list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum EventsOf<'a> {
    /// The events of a change set, by its ARN: CloudFormation rejects a name without the stack.
    ChangeSet(&'a str),
    /// The events of a stack, by name or ARN.
    Stack(&'a str),
    /// The events of an operation, by ID.
    Operation(&'a str),
}

impl Calls {
    /// Returns all pages of events, newest first, each event once.
    pub(crate) async fn describe_events(
        &mut self,
        of: EventsOf<'_>,
        only_failed: bool,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<OperationEvent>, Unavailable> {
        let call = QueryRequest::new(CALL);
        let call = match of {
            EventsOf::ChangeSet(id) => call.with("ChangeSetName", id),
            EventsOf::Stack(stack) => call.with("StackName", stack),
            EventsOf::Operation(id) => call.with("OperationId", id),
        };
        let call = call.with_some("Filters.FailedEvents", only_failed.then_some("true"));
        let events = self.optional_pages(call, "OperationEvents", sink).await?;
        let mut seen = HashSet::new();
        let events = events.iter().map(OperationEvent::from);
        // Pages may repeat; an event without an ID cannot be distinguished from another one.
        Ok(events.filter(|found| found.event.id.is_empty() || seen.insert(found.event.id.clone())).collect())
    }
}
