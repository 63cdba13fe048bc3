//! The events of a stack until now.

use crate::event::Event;
use crate::operation::OperationKind;
use crate::status;
use crate::steps::follow::Operation;
use crate::unique_name;

/// Selects events of a stack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventScope {
    /// Events of the last operation, and of the one that it rolls back.
    LastOperation,
    /// Events of an operation, by its ID.
    Operation(String),
    /// Events since a time, in nanoseconds since 1970.
    Since(i128),
    /// All events that CloudFormation keeps.
    All,
}

/// The events of a stack and of its nested stacks.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct History {
    /// The events, oldest first.
    pub events: Vec<Event>,
    /// The current operation, for [`Service::follow`](crate::Service::follow).
    pub operation: Operation,
}

impl History {
    /// Returns the status of the stack by its last event, and `true` if it is a success; `None` while an operation is
    /// in progress, and without events.
    pub fn end(&self) -> Option<(&str, bool)> {
        let last = self.own().last()?;
        let is_good = self.operation.kind.end(&last.status)?;
        Some((&last.status, is_good))
    }

    /// Returns `true` while an operation is in progress.
    pub fn is_running(&self) -> bool {
        self.own().last().is_some_and(|last| status::is_in_progress(&last.status))
    }

    fn own(&self) -> impl DoubleEndedIterator<Item = &Event> {
        self.events.iter().filter(|event| event.is_of_stack() && event.stack_id == self.operation.stack_id)
    }
}

pub(crate) fn kind_of(status: &str) -> OperationKind {
    match status {
        _ if status.contains("ROLLBACK") => OperationKind::RollBack,
        _ if status.starts_with("CREATE") || status.starts_with("REVIEW") => OperationKind::Create,
        _ if status.starts_with("UPDATE") || status.starts_with("IMPORT") => OperationKind::Update,
        _ if status.starts_with("DELETE") => OperationKind::Delete,
        _ => OperationKind::Other,
    }
}

/// Selects events of a stack, from the newest to the oldest.
#[derive(Debug)]
pub(crate) struct Window {
    scope: EventScope,
    /// Operation of the last accepted events.
    current: Option<String>,
    /// Token of the call that began the operation, once it was read.
    token: Option<String>,
    /// Set for a rollback, once that was read.
    is_rollback: bool,
    /// Set once the event that began the operation was accepted.
    is_begun: bool,
    has_any: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Verdict {
    Wanted,
    /// Not selected; an older event may be.
    Skipped,
    /// Neither this event nor an older one is selected.
    Over,
}

/// The reason of the event that begins an operation.
const BY_USER: &str = "User Initiated";

impl Window {
    pub(crate) fn new(scope: EventScope) -> Window {
        Window { scope, current: None, token: None, is_rollback: false, is_begun: false, has_any: false }
    }

    pub(crate) fn look(&mut self, event: &Event) -> Verdict {
        let verdict = match &self.scope {
            EventScope::All => Verdict::Wanted,
            EventScope::Since(time) if event.time < *time => Verdict::Over,
            EventScope::Since(_) => Verdict::Wanted,
            EventScope::Operation(id) if event.operation_id.as_ref() == Some(id) => Verdict::Wanted,
            EventScope::Operation(_) if self.has_any && event.operation_id.is_some() => Verdict::Over,
            EventScope::Operation(_) => Verdict::Skipped,
            EventScope::LastOperation => self.look_at_last(event),
        };
        self.has_any |= verdict == Verdict::Wanted;
        verdict
    }

    /// `true` if an event without a token belongs to an older operation than the last accepted one.
    fn is_of_other_operation(&self, event: &Event) -> bool {
        match (&event.operation_id, &self.current) {
            (Some(id), Some(current)) => id != current,
            // Events of operations have no ID in some places, and before IDs were introduced.
            (Some(_), None) => self.has_any && self.is_begun,
            (None, _) => self.is_begun,
        }
    }

    fn look_at_last(&mut self, event: &Event) -> Verdict {
        let is_of_other_call = match (&event.token, &self.token) {
            (Some(token), Some(current)) => Some(!unique_name::is_of_one_run(token, current)),
            _ => None,
        };
        let is_other = is_of_other_call.unwrap_or_else(|| self.is_of_other_operation(event));
        if is_other && !self.is_rollback {
            return Verdict::Over;
        }
        if is_other {
            (self.is_rollback, self.is_begun) = (false, false);
        }
        if event.operation_id.is_some() {
            self.current.clone_from(&event.operation_id);
        }
        // An operation that is rolled back has another token when the rollback was requested by another call.
        if is_other || self.token.is_none() {
            self.token.clone_from(&event.token);
        }
        if event.is_of_stack() && event.status.ends_with("_IN_PROGRESS") {
            let has_id = event.operation_id.is_some();
            self.is_rollback = event.status.ends_with("ROLLBACK_IN_PROGRESS") && has_id;
            self.is_begun = event.reason.as_deref() == Some(BY_USER) || self.is_rollback;
        }
        Verdict::Wanted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An event of the stack: its operation, its status, and `true` for the beginning of an operation.
    fn own(operation: &str, status: &str, is_begin: bool) -> Event {
        Event {
            operation_id: Some(operation.to_owned()).filter(|id| !id.is_empty()),
            status: status.to_owned(),
            reason: is_begin.then(|| BY_USER.to_owned()),
            kind: crate::event::STACK.to_owned(),
            stack_id: "arn:a".to_owned(),
            physical_id: "arn:a".to_owned(),
            ..Event::default()
        }
    }

    fn resource(operation: &str, status: &str) -> Event {
        Event { kind: "AWS::SNS::Topic".to_owned(), ..own(operation, status, false) }
    }

    /// Counts the selected events; they are listed oldest first.
    fn wanted(scope: EventScope, events: &[Event]) -> usize {
        let mut window = Window::new(scope);
        let mut wanted = 0;
        for event in events.iter().rev() {
            match window.look(event) {
                Verdict::Wanted => wanted += 1,
                Verdict::Skipped => {}
                Verdict::Over => break,
            }
        }
        wanted
    }

    fn two_operations(first: &str, second: &str) -> Vec<Event> {
        vec![
            own(first, "CREATE_IN_PROGRESS", true),
            resource(first, "CREATE_COMPLETE"),
            own(first, "CREATE_COMPLETE", false),
            own(second, "UPDATE_IN_PROGRESS", true),
            resource(second, "UPDATE_FAILED"),
            own(second, "UPDATE_COMPLETE", false),
        ]
    }

    #[test]
    fn the_last_operation_by_its_id() {
        assert_eq!(wanted(EventScope::LastOperation, &two_operations("a", "b")), 3);
        assert_eq!(wanted(EventScope::LastOperation, &[]), 0);
        assert_eq!(wanted(EventScope::Operation("a".to_owned()), &two_operations("a", "b")), 3);
        assert_eq!(wanted(EventScope::Operation("c".to_owned()), &two_operations("a", "b")), 0);
        assert_eq!(wanted(EventScope::All, &two_operations("a", "b")), 6);
    }

    #[test]
    fn the_last_operation_without_ids_begins_with_a_user() {
        assert_eq!(wanted(EventScope::LastOperation, &two_operations("", "")), 3);
        // IDs were introduced after the stack was created.
        assert_eq!(wanted(EventScope::LastOperation, &two_operations("", "b")), 3);
        let mut lost = two_operations("a", "b");
        lost[4].operation_id = None;
        assert_eq!(wanted(EventScope::LastOperation, &lost), 3, "an event that lost its ID");
    }

    #[test]
    fn a_rollback_is_shown_with_what_it_rolls_back() {
        let mut events = two_operations("a", "b");
        events[5] = own("b", "UPDATE_FAILED", false);
        events.push(own("c", "UPDATE_ROLLBACK_IN_PROGRESS", false));
        events.push(resource("c", "UPDATE_COMPLETE"));
        events.push(own("c", "UPDATE_ROLLBACK_COMPLETE", false));
        assert_eq!(wanted(EventScope::LastOperation, &events), 6);
        // The rollback may be a part of the operation.
        for event in &mut events[6..] {
            event.operation_id = Some("b".to_owned());
        }
        assert_eq!(wanted(EventScope::LastOperation, &events), 6);
        for event in &mut events {
            event.operation_id = None;
        }
        assert_eq!(wanted(EventScope::LastOperation, &events), 6);
    }

    /// Adds to the events of each operation the token of the call that began it.
    fn with_tokens(mut events: Vec<Event>, tokens: &[(&str, &str)]) -> Vec<Event> {
        for event in &mut events {
            let token = tokens.iter().find(|(id, _)| event.operation_id.as_deref() == Some(id));
            event.token = token.map(|(_, token)| (*token).to_owned());
        }
        events
    }

    #[test]
    fn operations_of_one_run_are_shown_together() {
        let run = "formwork-20260131T100000-1a2b3c4d";
        let events = |first: &str, second: &str| with_tokens(two_operations("a", "b"), &[("a", first), ("b", second)]);
        let wanted_of = |first: &str, second: &str| wanted(EventScope::LastOperation, &events(first, second));
        assert_eq!(wanted_of(&format!("{run}-1"), &format!("{run}-2")), 6, "what a deployment cleaned up");
        assert_eq!(wanted_of(&format!("{run}-1"), "formwork-20260131T100000-99999999-1"), 3, "of another run");
        assert_eq!(wanted_of("Console-ExecuteChangeSet-1", "Console-ExecuteChangeSet-2"), 3);
        assert_eq!(wanted_of("deploy", "deploy"), 6, "one call");
        // Without IDs of operations and marks of their begin.
        let without_ids = |first: &str, second: &str| {
            let mut events = events(first, second);
            for event in &mut events {
                (event.operation_id, event.reason) = (None, None);
            }
            wanted(EventScope::LastOperation, &events)
        };
        assert_eq!(without_ids(&format!("{run}-1"), &format!("{run}-2")), 6);
        assert_eq!(without_ids(&format!("{run}-1"), "other"), 3);
    }

    #[test]
    fn a_rollback_that_somebody_else_asked_for_is_shown_with_what_it_rolls_back() {
        let mut events = two_operations("a", "b");
        events[5] = own("b", "UPDATE_FAILED", false);
        events.push(own("c", "UPDATE_ROLLBACK_IN_PROGRESS", true));
        events.push(own("c", "UPDATE_ROLLBACK_COMPLETE", false));
        let events = with_tokens(events, &[("a", "x"), ("b", "y"), ("c", "z")]);
        assert_eq!(wanted(EventScope::LastOperation, &events), 5);
    }

    #[test]
    fn kinds_of_operations() {
        for (status, kind) in [
            ("CREATE_IN_PROGRESS", OperationKind::Create),
            ("UPDATE_IN_PROGRESS", OperationKind::Update),
            ("UPDATE_ROLLBACK_IN_PROGRESS", OperationKind::RollBack),
            ("ROLLBACK_IN_PROGRESS", OperationKind::RollBack),
            ("DELETE_IN_PROGRESS", OperationKind::Delete),
            ("IMPORT_IN_PROGRESS", OperationKind::Update),
            ("NEW_IN_PROGRESS", OperationKind::Other),
        ] {
            assert_eq!(kind_of(status), kind, "{status}");
        }
    }
}
