//! Follows an operation to its end, by the events of its stack and of the nested ones.

use std::collections::HashSet;

use formwork_aws::{CallError, CallErrorKind, Pages, QueryRequest};

use crate::calls::Calls;
use crate::error::DeployError;
use crate::event::Event;
use crate::event_sink::EventSink;
use crate::hook::HookInvocation;
use crate::operation::{OperationEnd, OperationKind};
use crate::retry::Retry;
use crate::status;
use crate::steps::examine::InvalidStack;

const CALL: &str = "DescribeStackEvents";

/// An operation on a stack, and the events seen so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// ARN of the stack.
    pub stack_id: String,
    /// Kind of the operation.
    pub kind: OperationKind,
    /// The stack, followed by the nested stacks in its events.
    followed: Vec<Followed>,
    begin: Option<i128>,
    /// The first failure; in a nested stack that of the resource inside.
    first_failure: Option<Event>,
    /// Status and reason of a stack that only cleans up.
    cleans_up: Option<(String, Option<String>)>,
    /// Set once an endless listing of events was reported.
    is_incomplete: bool,
    /// Paths of resources whose last event is a success with a reason, in the order of the events.
    applied: Vec<String>,
    /// Stacks that early validation rejected.
    pub(crate) invalid: Vec<InvalidStack>,
    pub(crate) failed_hooks: Vec<Event>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Followed {
    stack_id: String,
    /// Logical IDs of the enclosing nested stacks, outermost first.
    within: Vec<String>,
    last: Option<Seen>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Seen {
    id: String,
    time: i128,
}

impl From<&Event> for Seen {
    fn from(event: &Event) -> Seen {
        Seen { id: event.id.clone(), time: event.time }
    }
}

impl Calls {
    /// Begins to follow an operation that is about to begin: all existing events are old.
    pub(crate) async fn about_to(
        &mut self,
        kind: OperationKind,
        stack_id: &str,
        sink: &mut dyn EventSink,
    ) -> Result<Operation, DeployError> {
        let call = QueryRequest::new(CALL).with("StackName", stack_id);
        let mut retry = Retry::asking(&self.intervals);
        let answer = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
        // Events are listed newest first, whatever their times; on another order, the times decide.
        let newest = answer.items("StackEvents").iter().map(Event::from).rev().max_by_key(|event| event.time);
        Ok(Operation::behind(kind, stack_id, newest.as_ref()))
    }

    pub(crate) async fn follow(
        &mut self,
        operation: &mut Operation,
        sink: &mut dyn EventSink,
    ) -> Result<OperationEnd, DeployError> {
        loop {
            let step = self.follow_once(operation, sink).await;
            match (step, operation.cleans_up.take()) {
                (Ok(Some(ended)), _) => return Ok(ended),
                (Ok(None), cleans_up) => operation.cleans_up = cleans_up,
                // The operation succeeded: the run need not wait for the cleanup.
                (Err(_), Some((status, reason))) => {
                    return Ok(OperationEnd { status, reason, is_success: true, first_failure: None });
                }
                (Err(stop), None) => return Err(stop),
            }
        }
    }

    /// Reports new events; returns the end, when it has come.
    async fn follow_once(
        &mut self,
        operation: &mut Operation,
        sink: &mut dyn EventSink,
    ) -> Result<Option<OperationEnd>, DeployError> {
        let mut end = None;
        for event in self.news(operation, sink).await? {
            sink.event(&event);
            operation.note_failure(&event);
            operation.note_checks(&event);
            operation.note_applied(&event);
            if !event.is_of_stack() || event.stack_id != operation.stack_id {
                continue;
            }
            if status::is_success(&event.status) && operation.kind.end(&event.status).is_none() {
                operation.cleans_up = Some((event.status.clone(), event.reason.clone()));
            }
            if let Some(is_success) = operation.kind.end(&event.status) {
                end = Some((event.status, event.reason, is_success));
            }
        }
        let Some((status, reason, is_success)) = end else {
            self.deadline.pause(self.intervals.events).await?;
            return Ok(None);
        };
        let first_failure = operation.first_failure.take().filter(|_| !is_success);
        Ok(Some(OperationEnd { status, reason, is_success, first_failure }))
    }

    /// Returns the events of nested stacks since the first event that was read. A stack whose events cannot be listed
    /// is reported and omitted: CloudFormation keeps those of a deleted stack for some time.
    pub(super) async fn nested_history(
        &mut self,
        operation: &mut Operation,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<Event>, DeployError> {
        let mut retry = Retry::asking(&self.intervals);
        let (mut found, mut at, mut is_reported) = (Vec::new(), 1, false);
        let pages = self.pages.clone();
        while let Some(followed) = operation.followed.get(at).cloned() {
            at += 1;
            let events = match self.news_of(&followed, (operation.begin, &pages), &mut retry, sink).await {
                Ok((events, endless)) => {
                    if let Some(failure) = endless.filter(|_| !is_reported) {
                        sink.incomplete(CALL, &failure);
                        is_reported = true;
                    }
                    events
                }
                Err(DeployError::Call { call, source }) if source.kind == CallErrorKind::Refused => {
                    sink.incomplete(call, &source);
                    continue;
                }
                Err(stop) => return Err(stop),
            };
            operation.followed[at - 1].last = events.last().map(Seen::from);
            for event in events {
                operation.add_nested(&event);
                operation.note_failure(&event);
                found.push(event);
            }
        }
        Ok(found)
    }

    /// Returns new events of the stack and of the nested ones, by time.
    pub(crate) async fn news(
        &mut self,
        operation: &mut Operation,
        sink: &mut dyn EventSink,
    ) -> Result<Vec<Event>, DeployError> {
        let mut retry = Retry::watching(&self.intervals);
        let mut news: Vec<Event> = Vec::new();
        let mut at = 0;
        // Events are requested until the operation ends, so that each round counts for itself.
        let pages = Pages::default();
        while let Some(followed) = operation.followed.get(at).cloned() {
            let (found, endless) = self.news_of(&followed, (operation.begin, &pages), &mut retry, sink).await?;
            if let Some(failure) = endless.filter(|_| !operation.is_incomplete) {
                sink.incomplete(CALL, &failure);
                operation.is_incomplete = true;
            }
            if let Some(newest) = found.last() {
                operation.followed[at].last = Some(Seen::from(newest));
            }
            for event in found {
                operation.begin.get_or_insert(event.time);
                if event.nested_stack().is_some() {
                    operation.add_nested(&event);
                }
                news.push(event);
            }
            at += 1;
        }
        news.sort_by_key(|event| event.time);
        Ok(news)
    }

    /// Returns new events of one stack, oldest first, those of a nested stack since the begin of the operation.
    /// CloudFormation lists the newest first, so an endless listing contains them: its reading is stopped, and the
    /// reason is returned.
    async fn news_of(
        &mut self,
        followed: &Followed,
        (begin, pages): (Option<i128>, &Pages),
        retry: &mut Retry,
        sink: &mut dyn EventSink,
    ) -> Result<(Vec<Event>, Option<CallError>), DeployError> {
        let mut found: Vec<Event> = Vec::new();
        let mut paging = match pages.listing() {
            Ok(paging) => paging,
            Err(failure) => return Ok((found, Some(failure))),
        };
        let (mut next, mut endless) = (None::<String>, None);
        let mut is_over = false;
        loop {
            let call = QueryRequest::new(CALL).with("StackName", &followed.stack_id);
            let call = call.with_some("NextToken", next.as_deref());
            let page = retry.ask(CALL, &mut self.deadline, sink, || self.client.call(call.clone())).await?;
            for event in page.items("StackEvents") {
                let event = Event { within: followed.within.clone(), ..Event::from(event) };
                let last = followed.last.as_ref();
                let is_old = last.is_some_and(|last| event.is_before(last.time))
                    || begin.is_some_and(|begin| event.is_before(begin));
                // After a known event, new ones come only when the order is another one.
                let is_seen = is_over && last.is_some_and(|last| event.time <= last.time);
                if is_old || is_seen || last.is_some_and(|last| last.id == event.id) {
                    is_over = true;
                    continue;
                }
                found.push(event);
            }
            if is_over {
                break;
            }
            match paging.next(page.string_of("NextToken")) {
                Ok(Some(token)) => next = Some(token),
                Ok(None) => break,
                Err(failure) => {
                    endless = Some(failure);
                    let mut ids = HashSet::new();
                    found.retain(|event| ids.insert(event.id.clone()));
                    break;
                }
            }
        }
        found.reverse();
        found.sort_by_key(|event| event.time);
        Ok((found, endless))
    }
}

/// Parts of the reasons in events of stacks that early validation rejected.
const INVALID: [&str; 2] = ["Validation failed with ", "Validation failure detected."];

impl Operation {
    /// Returns the operation on a stack after the event that was seen last.
    fn behind(kind: OperationKind, stack_id: &str, last: Option<&Event>) -> Operation {
        let followed = Followed { stack_id: stack_id.to_owned(), within: Vec::new(), last: last.map(Seen::from) };
        Operation {
            stack_id: stack_id.to_owned(),
            kind,
            followed: vec![followed],
            begin: None,
            first_failure: None,
            cleans_up: None,
            is_incomplete: false,
            applied: Vec::new(),
            invalid: Vec::new(),
            failed_hooks: Vec::new(),
        }
    }

    /// Returns the operation on a stack whose events were read, oldest first.
    pub(super) fn of(kind: OperationKind, stack_id: &str, events: &[Event]) -> Operation {
        let mut operation = Operation::behind(kind, stack_id, events.last());
        operation.begin = events.first().map(|event| event.time);
        for event in events {
            operation.add_nested(event);
            operation.note_failure(event);
        }
        operation
    }

    /// Returns the ARNs of the stacks that take part, with the logical IDs of the enclosing nested stacks.
    pub fn stacks(&self) -> impl Iterator<Item = (&str, &[String])> {
        self.followed.iter().map(|followed| (followed.stack_id.as_str(), followed.within.as_slice()))
    }

    /// Returns the paths of resources that express mode did not wait for: their last event is a success with a reason.
    pub(crate) fn stabilizing(&self) -> Vec<String> {
        self.applied.clone()
    }

    fn note_applied(&mut self, event: &Event) {
        if event.is_of_stack() {
            return;
        }
        let path = event.path();
        self.applied.retain(|known| *known != path);
        let has_reason = event.reason.as_deref().is_some_and(|reason| !reason.is_empty());
        if event.status.ends_with("_COMPLETE") && has_reason && event.nested_stack().is_none() {
            self.applied.push(path);
        }
    }

    fn note_checks(&mut self, event: &Event) {
        if event.hook.as_ref().is_some_and(HookInvocation::is_failure) {
            self.failed_hooks.push(event.clone());
        }
        let reason = event.reason.as_deref().unwrap_or_default();
        let is_invalid = event.detailed_status.as_deref() == Some("VALIDATION_FAILED")
            || INVALID.iter().any(|sentence| reason.starts_with(sentence));
        if is_invalid && !self.invalid.iter().any(|known| known.stack_id == event.stack_id) {
            let (stack_id, within) = (event.stack_id.clone(), event.within.clone());
            self.invalid.push(InvalidStack { stack_id, within, operation_id: event.operation_id.clone() });
        }
    }

    fn add_nested(&mut self, event: &Event) {
        let Some(stack_id) = event.nested_stack() else { return };
        if !self.followed.iter().any(|followed| followed.stack_id == stack_id) {
            let within = event.within.iter().chain([&event.logical_id]).cloned().collect();
            self.followed.push(Followed { stack_id: stack_id.to_owned(), within, last: None });
        }
    }

    /// Records the first failure. A failure inside a nested stack explains more than that of the nested stack.
    fn note_failure(&mut self, event: &Event) {
        let has_nested_failure =
            |known: &Event| known.nested_stack() == Some(event.stack_id.as_str()) && !event.is_of_stack();
        if event.is_failure() && !event.is_of_stack() && self.first_failure.as_ref().is_none_or(has_nested_failure) {
            self.first_failure = Some(event.clone());
        }
    }
}
