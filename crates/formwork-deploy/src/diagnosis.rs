//! Diagnoses failed stacks.

use crate::event::Event;
use crate::examination::Examination;
use crate::validation::OperationEvent;

/// The diagnosis of a stack, which may not have failed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Diagnosis {
    /// The operation that failed.
    pub operation: Option<FailedOperation>,
    /// Resources that failed for a reason of their own, the earliest first.
    pub failures: Vec<Event>,
    /// The resource that failed first; in a nested stack the resource inside.
    pub first_failure: Option<Event>,
    /// The rejections of early validation and hooks, and the calls that were not answered.
    pub examination: Examination,
    /// The reason of a failed change set.
    pub reason: Option<String>,
}

/// An operation that failed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct FailedOperation {
    /// ID of the operation, or the ARN of a change set; `None` when it is not sent.
    pub id: Option<String>,
    /// `CREATE_STACK`, `CREATE_CHANGESET`, or another value of CloudFormation.
    pub kind: String,
    /// Status of the operation.
    pub status: String,
}

impl Diagnosis {
    /// Returns `true` if something failed.
    pub fn is_failure(&self) -> bool {
        self.operation.is_some()
    }
}

/// Returns the newest failed operation that a person requested, with its events: rollbacks and change sets are skipped.
pub(crate) fn of_operation(events: &[OperationEvent]) -> (Option<FailedOperation>, Vec<OperationEvent>) {
    let is_asked = |event: &&OperationEvent| !event.operation_type.contains("ROLLBACK") && !is_change_set(event);
    let newest = events.iter().filter(|event| event.event.within.is_empty()).rev().find(is_asked);
    let Some(newest) = newest else { return (None, Vec::new()) };
    let operation = FailedOperation {
        id: newest.event.operation_id.clone(),
        kind: newest.operation_type.clone(),
        status: if newest.operation_status.is_empty() { "FAILED".to_owned() } else { newest.operation_status.clone() },
    };
    let is_own = |event: &OperationEvent| {
        // A nested stack has operations of its own.
        let is_nested = !event.event.within.is_empty() && is_asked(&event);
        is_nested || operation.id.is_none() && is_asked(&event) || event.event.operation_id == operation.id
    };
    let own = events.iter().filter(|event| is_own(event)).cloned().collect();
    (Some(operation), own)
}

fn is_change_set(event: &OperationEvent) -> bool {
    event.operation_type == "CREATE_CHANGESET"
}

/// Filters resources that failed for a reason of their own, the earliest first.
pub(crate) fn failures(mut events: Vec<Event>) -> Vec<Event> {
    events.retain(|event| event.is_failure() && !event.is_of_stack());
    events.sort_by_key(|event| event.time);
    events
}

/// Returns the first failure. A nested stack failed because of a failure inside.
pub(crate) fn first(failures: &[Event]) -> Option<Event> {
    let own = |stack: &str| failures.iter().find(|event| event.stack_id == stack);
    let roots = failures.iter().filter(|event| event.within.is_empty());
    let mut first = roots.clone().next().or(failures.first())?;
    let mut depth = 0;
    while let Some(inner) = first.nested_stack().and_then(own).filter(|_| depth < failures.len()) {
        (first, depth) = (inner, depth + 1);
    }
    Some(first.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::STACK;

    fn failed(time: i128, id: &str, within: &[&str], physical_id: &str) -> Event {
        let stack_id = within.last().map_or("arn:root".to_owned(), |inner| format!("arn:{inner}"));
        Event {
            time,
            logical_id: id.to_owned(),
            kind: if physical_id.starts_with("arn:") { STACK } else { "T" }.to_owned(),
            physical_id: physical_id.to_owned(),
            status: "CREATE_FAILED".to_owned(),
            stack_id,
            within: within.iter().map(|&step| step.to_owned()).collect(),
            ..Event::default()
        }
    }

    #[test]
    fn the_cause_is_the_earliest_failure_in_the_deepest_stack() {
        let events = vec![
            failed(9, "Late", &[], "x"),
            failed(5, "Inner", &[], "arn:Inner"),
            failed(3, "Deep", &["Inner"], "arn:Deep"),
            failed(2, "Table", &["Inner", "Deep"], "t"),
            failed(1, "shop", &[], "arn:root"),
            Event { reason: Some("Resource creation cancelled".to_owned()), ..failed(0, "Cancelled", &[], "c") },
        ];
        let failures = failures(events);
        let ids: Vec<&str> = failures.iter().map(|event| event.logical_id.as_str()).collect();
        assert_eq!(ids, ["Table", "Deep", "Inner", "Late"]);
        assert_eq!(first(&failures).map(|event| event.logical_id).as_deref(), Some("Table"));
        assert_eq!(first(&failures[2..]).map(|event| event.logical_id).as_deref(), Some("Inner"));
        assert_eq!(first(&[]), None);
    }

    fn event(operation: &str, kind: &str, id: &str) -> OperationEvent {
        OperationEvent {
            event: Event { operation_id: Some(operation.to_owned()), logical_id: id.to_owned(), ..Event::default() },
            event_type: String::new(),
            operation_type: kind.to_owned(),
            operation_status: "FAILED".to_owned(),
            finding: None,
        }
    }

    #[test]
    fn the_operation_is_the_newest_that_was_asked_for() {
        let events = vec![
            event("1", "CREATE_STACK", "Old"),
            event("2", "UPDATE_STACK", "A"),
            event("2", "UPDATE_STACK", "B"),
            event("3", "ROLLBACK", "C"),
            event("4", "CREATE_CHANGESET", "D"),
        ];
        let (operation, own) = of_operation(&events);
        assert_eq!(operation.map(|operation| operation.kind).as_deref(), Some("UPDATE_STACK"));
        let ids: Vec<String> = own.into_iter().map(|event| event.event.logical_id).collect();
        assert_eq!(ids, ["A", "B"]);
        assert_eq!(of_operation(&[event("3", "ROLLBACK", "C")]).0, None);
    }
}
