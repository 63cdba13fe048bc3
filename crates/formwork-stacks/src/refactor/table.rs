//! Tables of renames and moves, and of the actions of a refactor.

use formwork_deploy::StackRefactorAction;
use formwork_refactor::{Mapping, ResourceId};
use formwork_report::printable;

use super::actions::stack_name;
use crate::around::table;
use crate::places::{self, Origin};

/// A rename or a move, with details of the resource.
#[derive(Clone, Debug)]
pub struct Row {
    /// The old name and the new one.
    pub mapping: Mapping,
    /// The type of the resource.
    pub kind: String,
    /// The line in the deployed template, as that was sent.
    pub old_line: Option<u32>,
    /// The place of the resource now.
    pub origin: Option<Origin>,
}

/// Lays out the renames and moves: the old name, the new one, the type, the line.
pub fn of_mappings(rows: &[Row]) -> String {
    let has_stacks = rows.iter().any(|row| row.mapping.is_move())
        || rows
            .first()
            .is_some_and(|first| rows.iter().any(|row| row.mapping.source.stack != first.mapping.source.stack));
    let name = |id: &ResourceId| if has_stacks { id.to_string() } else { id.logical_id.clone() };
    let cells = |row: &Row| {
        let source = row.origin.as_ref().map_or_else(String::new, places::words);
        let line = row.old_line.map_or_else(|| "-".to_owned(), |line| format!("line {line}"));
        [name(&row.mapping.source), name(&row.mapping.destination), row.kind.clone(), line, source]
    };
    let cells: Vec<_> = rows.iter().map(cells).collect();
    table(["LogicalResourceId", "NewLogicalResourceId", "ResourceType", "Deployed", "Source"], &cells)
}

/// Lays out the actions of a refactor, with tags on request.
pub fn of_actions(actions: &[StackRefactorAction], has_tags: bool) -> String {
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
    let place = |(stack, id): &(String, String)| format!("{}.{id}", stack_name(stack));
    let cells = |action: &StackRefactorAction| {
        let (old, new) = match &action.mapping {
            Some((old, new)) => (place(old), place(new)),
            None => ("-".to_owned(), or_none(&action.description)),
        };
        [action.action.clone(), old, new, or_none(&action.physical_id), or_none(&action.detection)]
    };
    let cells: Vec<_> = actions.iter().map(cells).collect();
    let mut text =
        table(["Action", "LogicalResourceId", "NewLogicalResourceId", "PhysicalResourceId", "Detection"], &cells);
    if has_tags {
        for action in actions {
            let id = action.mapping.as_ref().map_or_else(String::new, |(_, new)| place(new));
            let tags = action.tags.iter().map(|(key, value)| format!("{id}: + {key}={value}"));
            let untags = action.untags.iter().map(|key| format!("{id}: - {key}"));
            for line in tags.chain(untags) {
                text += &printable(&line);
                text.push('\n');
            }
        }
    }
    text
}
