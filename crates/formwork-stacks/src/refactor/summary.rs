//! The result of a refactor as one JSON object.

use formwork_deploy::StackRefactorAction;
use formwork_refactor::ResourceId;
use formwork_report::printable;
use serde_json::{Value, json};

use super::actions::stack_name;
use super::table::Row;
use crate::places::Origin;
use crate::reporter::DeployReporter;

/// The result of a refactor.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// The names of the stacks.
    pub stacks: Vec<String>,
    /// The renames and moves.
    pub rows: Vec<Row>,
    /// The ID of the refactor, once it is created.
    pub id: Option<String>,
    /// The actions that CloudFormation lists.
    pub actions: Vec<StackRefactorAction>,
    /// Set once the execution was requested.
    pub is_executed: bool,
    /// `dry-run`, `nothing`, `not-executed`, `refactored`, `failed` or `refused`.
    pub result: Option<&'static str>,
    /// Number of other edits that the next deployment applies.
    pub held_back: usize,
}

impl Summary {
    /// Describes the refactor that an early end leaves behind; `None` before a refactor is created.
    pub fn leaves(&self) -> Option<String> {
        let id = printable(self.id.as_deref()?);
        Some(match (self.result, self.is_executed) {
            (Some(_), _) => return None,
            (None, true) => format!("refactor {id} goes on, or rolls back by itself"),
            (None, false) => format!("refactor {id} is left, and nobody executes it"),
        })
    }

    /// Returns the summary as JSON.
    pub fn object(&self, reporter: &DeployReporter<'_>) -> Value {
        let default = if self.id.is_some() { "failed" } else { "refused" };
        let result = self.result.unwrap_or(default);
        let reason = reporter.last_error().filter(|_| matches!(result, "failed" | "refused"));
        json!({
            "Stacks": self.stacks,
            "Mappings": self.rows.iter().map(|row| self.mapping(row)).collect::<Vec<_>>(),
            "StackRefactorId": self.id,
            "Actions": self.actions.iter().map(|action| object(action, reporter)).collect::<Vec<_>>(),
            "Result": result,
            "Reason": reason.map(|reason| reporter.clean(reason)),
            "HeldBack": self.held_back,
        })
    }

    fn mapping(&self, row: &Row) -> Value {
        let (source, destination) = (&row.mapping.source, &row.mapping.destination);
        let is_it = |action: &&StackRefactorAction| {
            let new = action.mapping.as_ref().map(|(_, new)| new);
            new.is_some_and(|(stack, id)| stack_name(stack) == destination.stack && *id == destination.logical_id)
        };
        let physical_id = self.actions.iter().find(is_it).and_then(|action| action.physical_id.clone());
        let line = row.origin.as_ref().map(|origin| origin.line);
        // The deployed template is not a local file.
        json!({
            "source": place(source, None, row.old_line),
            "destination": place(destination, row.origin.as_ref(), line),
            "type": row.kind,
            "physical_id": physical_id,
        })
    }
}

fn place(id: &ResourceId, origin: Option<&Origin>, line: Option<u32>) -> Value {
    json!({
        "stack": id.stack,
        "logical_id": id.logical_id,
        "file": origin.map(|origin| &origin.file),
        "line": line,
    })
}

fn object(action: &StackRefactorAction, reporter: &DeployReporter<'_>) -> Value {
    let name = |(stack, id): &(String, String)| json!({"stack": stack_name(stack), "logical_id": id});
    let tag = |(key, value): &(String, String)| json!({"key": key, "value": reporter.mask(value)});
    json!({
        "action": action.action,
        "entity": action.entity,
        "source": action.mapping.as_ref().map(|(old, _)| name(old)),
        "destination": action.mapping.as_ref().map(|(_, new)| name(new)),
        "physical_id": action.physical_id,
        "detection": action.detection,
        "description": action.description.as_ref().map(|text| reporter.mask(text)),
        "tags": action.tags.iter().map(tag).collect::<Vec<_>>(),
        "removed_tags": action.untags,
    })
}
