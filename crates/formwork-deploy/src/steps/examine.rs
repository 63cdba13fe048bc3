//! Collects the results of early validation and hooks for a change set or an operation.

use std::collections::HashSet;

use crate::calls::Calls;
use crate::change_set::Change;
use crate::error::DeployError;
use crate::event::Event;
use crate::event_sink::EventSink;
use crate::examination::Examination;
use crate::hook::{HookFinding, HookInvocation, HookResult};
use crate::steps::describe_events::EventsOf;
use crate::unavailable::Unavailable;
use crate::validation::Finding;

const EVENTS: &str = "DescribeEvents";
const HOOKS: &str = "ListHookResults";
const HOOK: &str = "GetHookResult";

#[derive(Clone, Copy, Debug)]
pub(crate) struct Examined<'a> {
    pub(crate) id: &'a str,
    pub(crate) failure: Option<&'a str>,
    pub(crate) changes: &'a [Change],
    pub(crate) is_validated: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct InvalidStack {
    pub(crate) stack_id: String,
    pub(crate) within: Vec<String>,
    pub(crate) operation_id: Option<String>,
}

fn is_gone(code: &str) -> bool {
    code.starts_with("HookResultNotFound")
}

/// Turns the end of the run into an error; other reasons of an optional call are kept.
fn ended(why: Unavailable) -> Result<Unavailable, DeployError> {
    match why {
        Unavailable::Ended(error) => Err(error),
        why => Ok(why),
    }
}

impl Calls {
    /// Collects the findings of early validation and hooks for a change set. When it failed because of nested change
    /// sets, those are examined as well.
    pub(crate) async fn examine(
        &mut self,
        set: Examined<'_>,
        sink: &mut dyn EventSink,
    ) -> Result<Examination, DeployError> {
        let mut found = Examination { has_failed: set.failure.is_some(), ..Examination::default() };
        // Queue of change sets: ARN, enclosing nested stacks, changes, reason of the failure.
        let own = (set.id.to_owned(), Vec::new(), set.changes.to_vec(), set.failure.unwrap_or_default().to_owned());
        let (mut open, mut seen) = (vec![own], HashSet::new());
        while let Some((id, within, changes, reason)) = open.pop() {
            if !seen.insert(id.clone()) {
                continue;
            }
            if found.has_failed || set.is_validated {
                self.add_findings(&id, &within, &changes, &mut found, sink).await?;
            }
            self.add_hooks(&id, &within, &mut found, sink).await?;
            for change in changes.iter().filter(|_| found.has_failed) {
                let nested = change.change_set.as_ref().filter(|nested| reason.contains(nested.as_str()));
                let Some(nested) = nested else { continue };
                let mut inner = change.within.clone();
                inner.push(change.logical_id.clone());
                match self.described(None, nested, &inner, sink).await {
                    Ok((first, below)) => {
                        let reason = first.string_of("StatusReason").unwrap_or_default();
                        open.push((nested.clone(), inner, below, reason));
                    }
                    Err(error @ (DeployError::Interrupted | DeployError::TimedOut)) => return Err(error),
                    // The reason of the root is known.
                    Err(_) => {}
                }
            }
        }
        Ok(found)
    }

    async fn add_findings(
        &mut self,
        id: &str,
        within: &[String],
        changes: &[Change],
        found: &mut Examination,
        sink: &mut dyn EventSink,
    ) -> Result<(), DeployError> {
        // AWS does not document whether the filter keeps findings that only warn.
        let filters = if found.has_failed { &[true, false][..] } else { &[false] };
        for &only_failed in filters {
            let events = match self.describe_events(EventsOf::ChangeSet(id), only_failed, sink).await {
                Ok(events) => events,
                Err(why) => {
                    found.add_unavailable(EVENTS, ended(why)?);
                    return Ok(());
                }
            };
            let before = found.findings.len();
            found.findings.extend(events.into_iter().filter_map(|event| event.finding).map(|finding| {
                let nested = changes.iter().find(|change| change.physical_id.as_ref() == Some(&finding.stack_id));
                let within = match nested {
                    Some(change) => [&change.within[..], std::slice::from_ref(&change.logical_id)].concat(),
                    None => within.to_vec(),
                };
                Finding { within, ..finding }
            }));
            if found.findings.len() > before {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Adds the hooks that reject one change set, or warn of it.
    async fn add_hooks(
        &mut self,
        id: &str,
        within: &[String],
        found: &mut Examination,
        sink: &mut dyn EventSink,
    ) -> Result<(), DeployError> {
        let results = match self.list_hook_results(id, sink).await {
            Ok(results) => results,
            Err(why) => {
                found.add_unavailable(HOOKS, ended(why)?);
                return Ok(());
            }
        };
        for result in results.into_iter().filter(HookResult::is_failure) {
            let result = self.annotated(result, found).await?;
            found.hooks.push(HookFinding { within: within.to_vec(), logical_id: None, result });
        }
        Ok(())
    }

    /// Returns the result of a hook with its annotations, if they are available.
    async fn annotated(&mut self, known: HookResult, found: &mut Examination) -> Result<HookResult, DeployError> {
        if known.id.is_empty() {
            return Ok(known);
        }
        match self.hook_result(&known.id).await {
            Ok(result) => Ok(HookResult {
                id: known.id,
                kind: if result.kind.is_empty() { known.kind } else { result.kind },
                mode: result.mode.or(known.mode),
                status: if result.status.is_empty() { known.status } else { result.status },
                reason: result.reason.or(known.reason),
                ..result
            }),
            // CloudFormation keeps results for some time only: the reason of the listing is left.
            Err(Unavailable::Unanswered(failure)) if failure.code.as_deref().is_some_and(is_gone) => Ok(known),
            Err(why) => {
                found.add_unavailable(HOOK, ended(why)?);
                Ok(known)
            }
        }
    }

    /// Collects the findings of early validation and hooks for an operation: in stacks that events report as invalid,
    /// and on resources whose hooks failed.
    pub(crate) async fn examine_operation(
        &mut self,
        (invalid, hooks, has_failed): (&[InvalidStack], &[Event], bool),
        sink: &mut dyn EventSink,
    ) -> Result<Examination, DeployError> {
        let mut found = Examination { has_failed, ..Examination::default() };
        for stack in invalid {
            match self.describe_events(EventsOf::Stack(&stack.stack_id), true, sink).await {
                Ok(events) => {
                    let is_own =
                        |id: &Option<String>| stack.operation_id.is_none() || id.is_none() || *id == stack.operation_id;
                    let events = events.into_iter().filter(|event| is_own(&event.event.operation_id));
                    let findings = events.filter_map(|event| event.finding);
                    found.findings.extend(findings.map(|finding| Finding { within: stack.within.clone(), ..finding }));
                }
                Err(why) => found.add_unavailable(EVENTS, ended(why)?),
            }
        }
        for event in hooks {
            let Some(hook) = &event.hook else { continue };
            let HookInvocation { id, kind, status, reason, mode } = hook.clone();
            let id = id.unwrap_or_default();
            let known = HookResult { id, kind, mode, status, reason, ..HookResult::default() };
            let result = self.annotated(known, &mut found).await?;
            let logical_id = Some(event.logical_id.clone());
            found.hooks.push(HookFinding { within: event.within.clone(), logical_id, result });
        }
        Ok(found)
    }
}
