//! Lists the events of a stack, as far as CloudFormation keeps them.

use std::collections::HashSet;

use formwork_aws::QueryRequest;

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event::Event;
use crate::event_sink::EventSink;
use crate::history::{EventScope, History, Verdict, Window, kind_of};
use crate::operation::OperationKind;
use crate::retry::Retry;
use crate::steps::describe_events::EventsOf;
use crate::steps::follow::Operation;
use crate::unavailable::Unavailable;
use crate::validation::OperationEvent;

const CALL: &str = "DescribeStackEvents";

impl Calls {
    pub(crate) async fn history(
        &mut self,
        stack_id: &str,
        scope: EventScope,
        sink: &mut dyn EventSink,
    ) -> Result<History, DeployError> {
        let is_past = matches!(scope, EventScope::Operation(_));
        let mut events = self.own_history(stack_id, scope, sink).await?;
        let first = events.iter().find(|event| event.is_of_stack());
        let kind = first.map_or(OperationKind::Other, |first| kind_of(&first.status));
        let mut operation = Operation::of(kind, stack_id, &events);
        let nested = self.nested_history(&mut operation, sink).await?;
        // After an operation that ended long ago, nested stacks may have had others.
        let last = events.last().map(|event| event.time).filter(|_| is_past);
        events.extend(nested.into_iter().filter(|event| last.is_none_or(|last| event.time <= last)));
        events.sort_by_key(|event| event.time);
        Ok(History { events, operation })
    }

    /// Returns the selected events of one stack, oldest first.
    async fn own_history(
        &mut self,
        stack_id: &str,
        scope: EventScope,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<Event>, DeployError> {
        let (mut window, mut found) = (Window::new(scope), Vec::new());
        let mut paging = match self.pages.listing() {
            Ok(paging) => paging,
            Err(failure) => {
                sink.incomplete(CALL, &failure);
                return Ok(found);
            }
        };
        let (mut next, mut seen) = (None::<String>, HashSet::new());
        let mut retry = Retry::asking(&self.intervals);
        'pages: loop {
            let call = QueryRequest::new(CALL).with("StackName", stack_id).with_some("NextToken", next.as_deref());
            let page = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
            for event in page.items("StackEvents").iter().map(Event::from) {
                // Pages may repeat events.
                if !event.id.is_empty() && !seen.insert(event.id.clone()) {
                    continue;
                }
                match window.look(&event) {
                    Verdict::Wanted => found.push(event),
                    Verdict::Skipped => {}
                    Verdict::Over => break 'pages,
                }
            }
            match paging.next(page.string_of("NextToken")) {
                Ok(Some(token)) => next = Some(token),
                Ok(None) => break,
                Err(failure) => {
                    sink.incomplete(CALL, &failure);
                    break;
                }
            }
        }
        found.reverse();
        Ok(found)
    }

    pub(crate) async fn reported_failures(
        &mut self,
        history: &History,
        scope: &EventScope,
        sink: &mut dyn EventSink,
    ) -> Result<Result<Vec<OperationEvent>, Unavailable>, DeployError> {
        let begin = match scope {
            EventScope::LastOperation => history.events.first().map(|event| event.time),
            EventScope::Since(time) => Some(*time),
            EventScope::Operation(_) | EventScope::All => None,
        };
        let stacks: Vec<(String, Vec<String>)> =
            history.operation.stacks().map(|(id, within)| (id.to_owned(), within.to_vec())).collect();
        let (mut found, mut seen) = (Vec::new(), HashSet::new());
        for (number, (stack_id, _)) in stacks.iter().enumerate() {
            let of = match scope {
                EventScope::Operation(id) if number == 0 => EventsOf::Operation(id),
                _ => EventsOf::Stack(stack_id),
            };
            let events = match self.describe_events(of, true, sink).await {
                Ok(events) => events,
                Err(Unavailable::Ended(stop)) => return Err(stop),
                // A deleted nested stack does not hide events of the root.
                Err(Unavailable::Unanswered(failure)) if number > 0 => {
                    sink.incomplete("DescribeEvents", &failure);
                    continue;
                }
                Err(missing) => return Ok(Err(missing)),
            };
            for mut one in events {
                let is_old = begin.is_some_and(|begin| one.event.is_before(begin));
                let is_known = !one.event.id.is_empty() && !seen.insert(one.event.id.clone());
                if is_old || is_known || one.event.is_cancelled() {
                    continue;
                }
                let within = stacks.iter().find(|(id, _)| *id == one.event.stack_id);
                let within = within.map(|(_, within)| within.clone()).unwrap_or_default();
                if let Some(finding) = &mut one.finding {
                    finding.within.clone_from(&within);
                }
                one.event.within = within;
                found.push(one);
            }
        }
        found.sort_by_key(|one| one.event.time);
        Ok(Ok(found))
    }
}
