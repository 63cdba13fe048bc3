//! Prints a change set as a table.

use std::borrow::Cow;

use formwork_deploy::{Action, Change, ChangeSet, Replacement};
use formwork_report::printable;
use formwork_schemas::{Effect, Schemas};
use serde_json::{Value, json};

use super::drift;
use super::places::{self, Origin, Sources};
use super::reporter::{Color, DeployReporter};

const HEAD: [&str; 6] = ["Operation", "LogicalResourceId", "ResourceType", "Replacement", "Changed", "Source"];

/// Index of the drift column.
const DRIFT: usize = 4;

/// Prints the changes, one per line.
pub fn show(set: &ChangeSet, reporter: &DeployReporter<'_>, sources: &mut Sources) {
    let origins: Vec<Option<Origin>> =
        set.changes.iter().map(|change| sources.of(&change.within, &change.logical_id)).collect();
    if !reporter.is_for_people() {
        for (change, origin) in set.changes.iter().zip(&origins) {
            let mut object = object(change, origin.as_ref());
            drift::add_to(&mut object, (set, change), reporter, Some(&mut *sources));
            reporter.line("", || json!({"change": object}));
        }
        return;
    }
    if set.has_values {
        let status = set.stack_drift.as_deref().unwrap_or("-");
        reporter.print_line(&format!("Stack drift: {}", printable(status)));
    }
    if set.changes.is_empty() {
        reporter.print_line(&format!("Change set {}: no resource changes", printable(&set.name)));
        return;
    }
    reporter.print_line(&format!("Change set {}:", printable(&set.name)));
    let mut rows: Vec<Vec<String>> =
        set.changes.iter().zip(&origins).map(|(change, origin)| row(change, origin.as_ref()).to_vec()).collect();
    let mut head: Vec<String> = HEAD.map(str::to_owned).to_vec();
    if set.has_values {
        head.insert(DRIFT, "Drift".to_owned());
        for (row, change) in rows.iter_mut().zip(&set.changes) {
            row.insert(DRIFT, printable(&drift::word(change)).into_owned());
        }
    }
    let mut widths: Vec<usize> = head.iter().map(String::len).collect();
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: &[String]| {
        let padded = cells.iter().zip(&widths).map(|(cell, &width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    reporter.print_line(&format!("  {}", reporter.paint(&line(&head), Color::Dim)));
    for (change, row) in set.changes.iter().zip(&rows) {
        let text = line(row);
        let text = reporter.paint(&text, color(change));
        // A mark shows replacements and data loss without colours, too.
        let mark = if is_highlighted(change) { "! " } else { "  " };
        reporter.print_line(&format!("{mark}{text}"));
        if set.has_values {
            for line in &drift::lines(change, reporter, sources) {
                reporter.print_line(&format!("      {line}"));
            }
        }
    }
    reporter.print_line("");
}

fn row(change: &Change, origin: Option<&Origin>) -> [String; 6] {
    [
        if change.is_unresolved() { "? unresolved".to_owned() } else { operation(&change.action).into_owned() },
        printable(&change.path()).into_owned(),
        printable(&change.kind).into_owned(),
        if change.action == Action::Modify || change.may_be_replaced() {
            printable(replacement(&change.replacement)).into_owned()
        } else {
            "-".to_owned()
        },
        if change.is_modified() { printable(&changed(change)).into_owned() } else { String::new() },
        origin.map_or_else(String::new, places::words),
    ]
}

/// Describes the changes of a resource. Where CloudFormation does not report whether they replace it, the facts about
/// its type decide (reference/plan.md#actions).
fn changed(change: &Change) -> String {
    let schemas = Schemas::embedded();
    let known = schemas.resource_type(&change.kind).filter(|_| change.replacement == Replacement::Perhaps);
    let effect = |name: &String| {
        let known = known.as_ref().filter(|known| known.properties().property(name).is_some())?;
        match known.effect_within(&[name]) {
            Effect::Replace(_) => Some("replaces"),
            Effect::MayReplace(_) => Some("may replace"),
            Effect::Update => Some("in place"),
            _ => None,
        }
    };
    let named = change.changed.iter().map(|name| match effect(name) {
        Some(effect) => format!("{name} ({effect})"),
        None => name.clone(),
    });
    named.collect::<Vec<_>>().join(", ")
}

/// Returns a mark and the name of the action.
fn operation(action: &Action) -> Cow<'static, str> {
    Cow::Borrowed(match action {
        Action::Add => "+ Add",
        Action::Modify => "* Modify",
        Action::Remove => "- Delete",
        Action::Import => "> Import",
        Action::Dynamic => "? Dynamic",
        Action::Sync => "= Sync",
        Action::Unknown(sent) if sent.is_empty() => "? unknown",
        Action::Unknown(sent) => return Cow::Owned(format!("? {}", printable(sent))),
    })
}

fn replacement(replacement: &Replacement) -> &str {
    match replacement {
        Replacement::Yes => "True",
        Replacement::No => "False",
        Replacement::Perhaps => "Conditional",
        Replacement::Unknown(sent) => sent,
    }
}

fn is_highlighted(change: &Change) -> bool {
    change.loses_data() || change.may_be_replaced()
}

fn color(change: &Change) -> Color {
    match change.action {
        _ if is_highlighted(change) => Color::Red,
        Action::Add | Action::Import => Color::Green,
        Action::Remove => Color::Red,
        Action::Modify | Action::Dynamic | Action::Sync | Action::Unknown(_) => Color::Yellow,
    }
}

/// Returns a change as JSON.
pub fn object(change: &Change, origin: Option<&Origin>) -> Value {
    let object = json!({
        "action": operation(&change.action).split_once(' ').map(|(_, name)| name),
        "path": change.within,
        "logical_id": change.logical_id,
        "type": change.kind,
        "replacement": replacement(&change.replacement),
        "changed": change.changed,
        "loses_data": change.loses_data(),
    });
    places::with_source(object, origin)
}
