//! Diagnoses a stack by the report of its last operation, otherwise by the newest change set that failed.

use formwork_aws::{Element, QueryRequest};

use crate::calls::Calls;
use crate::diagnosis::{Diagnosis, FailedOperation, failures, first, of_operation};
use crate::error::DeployError;
use crate::event::Event;
use crate::event_sink::EventSink;
use crate::examination::Examination;
use crate::history::{EventScope, History};
use crate::operation::OperationKind;
use crate::stack_state::Stack;
use crate::status;
use crate::steps::create_change_set::is_uninformative;
use crate::steps::examine::Examined;
use crate::unavailable::Unavailable;

const LIST: &str = "ListChangeSets";
const EVENTS: &str = "DescribeEvents";

/// Part of the reason of a change set that failed because of a nested one.
const NESTED: &str = "Nested change set";

impl Calls {
    pub(crate) async fn diagnose(&mut self, stack: &Stack, sink: &mut dyn EventSink) -> Result<Diagnosis, DeployError> {
        if status::is_failed(&stack.status) {
            self.diagnose_operation(stack, sink).await
        } else {
            self.diagnose_change_set(stack, sink).await
        }
    }

    async fn diagnose_operation(&mut self, stack: &Stack, sink: &mut dyn EventSink) -> Result<Diagnosis, DeployError> {
        let scope = EventScope::LastOperation;
        let history = self.history(&stack.id, scope.clone(), sink).await?;
        let mut found = Diagnosis::default();
        match self.reported_failures(&history, &scope, sink).await? {
            Ok(events) => {
                let (operation, events) = of_operation(&events);
                found.operation = operation;
                found.examination.findings = events.iter().filter_map(|event| event.finding.clone()).collect();
                let of_resources = events.into_iter().filter(|event| event.finding.is_none()).map(|event| event.event);
                found.failures = failures(of_resources.collect());
            }
            Err(missing) => found.examination.add_unavailable(EVENTS, missing),
        }
        if found.operation.is_none() {
            found.operation = Some(of_history(&history));
        }
        if found.failures.is_empty() {
            found.failures = failures(history.events.clone());
        }
        let is_failed_hook = |event: &&Event| event.hook.as_ref().is_some_and(crate::hook::HookInvocation::is_failure);
        let hooks: Vec<Event> = history.events.iter().filter(is_failed_hook).cloned().collect();
        let of_hooks = self.examine_operation((&[], &hooks, true), sink).await?;
        found.examination.append(Examination { has_failed: true, ..of_hooks });
        found.first_failure = first(&found.failures);
        Ok(found)
    }

    /// Skips change sets that failed because they were empty.
    async fn diagnose_change_set(&mut self, stack: &Stack, sink: &mut dyn EventSink) -> Result<Diagnosis, DeployError> {
        let mut found = Diagnosis::default();
        let call = QueryRequest::new(LIST).with("StackName", &stack.id);
        let sets = match self.optional_pages(call, "Summaries", sink).await {
            Ok(sets) => sets,
            Err(Unavailable::Ended(stop)) => return Err(stop),
            Err(missing) => {
                found.examination.add_unavailable(LIST, missing);
                return Ok(found);
            }
        };
        let text = |set: &Element, name| set.string_of(name).unwrap_or_default();
        let is_failed =
            |set: &&Element| text(set, "Status") == "FAILED" && !is_uninformative(&text(set, "StatusReason"));
        let newest = sets.iter().filter(is_failed).max_by_key(|set| text(set, "CreationTime"));
        let Some(newest) = newest else { return Ok(found) };
        let (id, reason) = (text(newest, "ChangeSetId"), text(newest, "StatusReason"));
        let changes = if reason.contains(NESTED) { self.described(None, &id, &[], sink).await?.1 } else { Vec::new() };
        let set = Examined { id: &id, failure: Some(&reason), changes: &changes, is_validated: true };
        found.examination = self.examine(set, sink).await?;
        found.operation =
            Some(FailedOperation { id: Some(id), kind: "CREATE_CHANGESET".to_owned(), status: "FAILED".to_owned() });
        found.reason = Some(reason);
        Ok(found)
    }
}

/// Derives the operation from its events, when they contain no operation ID.
fn of_history(history: &History) -> FailedOperation {
    let failed = history.events.iter().find(|event| event.within.is_empty() && event.is_failure());
    let kind = match history.operation.kind {
        OperationKind::Create => "CREATE_STACK",
        OperationKind::Update => "UPDATE_STACK",
        OperationKind::Delete => "DELETE_STACK",
        OperationKind::RollBack => "ROLLBACK",
        OperationKind::Other => "UNKNOWN",
    };
    let id = failed.or(history.events.first()).and_then(|event| event.operation_id.clone());
    FailedOperation { id, kind: kind.to_owned(), status: "FAILED".to_owned() }
}
