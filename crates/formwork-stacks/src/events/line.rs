//! Formats events of a stack or a resource, as a line for people and as an object for programs.

use formwork_deploy::{Event, Finding};
use serde_json::{Value, json};

use crate::places::{self, Origin};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Event,
    Validation,
    Hook,
}

/// An event with the shown details.
#[derive(Clone, Debug)]
pub struct Line {
    /// The event with the status and the reason that are shown.
    pub event: Event,
    kind: Kind,
    /// The subject of a finding of early validation.
    about: Option<String>,
}

impl Line {
    /// Creates a line from an event and its finding of early validation.
    pub fn new(event: &Event, finding: Option<&Finding>) -> Line {
        let mut event = event.clone();
        let Some(finding) = finding else {
            let Some(hook) = event.hook.clone() else { return Line { event, kind: Kind::Event, about: None } };
            if !hook.status.is_empty() {
                event.status = hook.status;
            }
            let is_named = event.reason.as_deref().is_some_and(|reason| reason.contains(&hook.kind));
            let about = (!is_named).then(|| format!("hook {}", hook.kind));
            return Line { event, kind: Kind::Hook, about };
        };
        finding.status.clone_into(&mut event.status);
        event.reason = Some(finding.reason.clone());
        event.logical_id.clone_from(&finding.logical_id);
        let name = if finding.name.is_empty() { String::new() } else { format!(" {}", finding.name) };
        let mode = finding.mode.as_ref().map_or_else(String::new, |mode| format!(" ({mode})"));
        let at =
            if finding.validation_path.is_empty() { String::new() } else { format!(" at {}", finding.validation_path) };
        Line { event, kind: Kind::Validation, about: Some(format!("early validation{name}{mode}{at}")) }
    }

    /// Returns the reason and the subject of the finding.
    pub fn words(&self) -> Vec<&str> {
        let reason = self.event.reason.as_deref().filter(|reason| !reason.is_empty());
        reason.into_iter().chain(self.about.as_deref()).collect()
    }

    /// Returns the line as JSON.
    pub fn object(&self, time: Option<&str>, reason: Option<&str>, origin: Option<&Origin>) -> Value {
        let event = &self.event;
        let physical_id = Some(&event.physical_id).filter(|id| !id.is_empty());
        let object = json!({
            "time": time,
            "stack": event.stack_name,
            "path": event.within,
            "logical_id": event.logical_id,
            "physical_id": physical_id,
            "type": event.kind,
            "status": event.status,
            "reason": reason,
            "detailed_status": event.detailed_status,
            "operation_id": event.operation_id,
            "kind": match self.kind {
                Kind::Event => "event",
                Kind::Validation => "validation",
                Kind::Hook => "hook",
            },
        });
        places::with_source(object, origin)
    }
}
