//! Drift and property values in the review of a change set (reference/deploy.md#drift).

use std::fmt::Write as _;

use formwork::json_pointer;
use formwork_deploy::{Change, ChangeSet, PropertyChange};
use serde_json::{Value, json};

use super::places::Sources;
use super::reporter::{Color, DeployReporter};

/// Returns the word for the drift of a resource.
pub fn word(change: &Change) -> String {
    match change.drift.as_deref() {
        None => "-".to_owned(),
        Some(status @ ("IN_SYNC" | "MODIFIED" | "DELETED" | "NOT_CHECKED" | "UNKNOWN" | "UNSUPPORTED")) => {
            status.to_lowercase().replace('_', " ")
        }
        Some(other) => other.to_owned(),
    }
}

/// Returns the lines below a resource: its changes, and the drift that is left alone.
pub fn lines(change: &Change, reporter: &DeployReporter<'_>, sources: &mut Sources) -> Vec<String> {
    let property = |property: &PropertyChange| {
        let place = place(change, property, sources);
        let place = place.map_or_else(String::new, |place| format!("   {}", reporter.paint(&place, Color::Dim)));
        format!("{}  {}{place}", reporter.clean(&dotted(&property.path)), values(property, reporter))
    };
    let mut lines: Vec<String> = change.properties.iter().map(property).collect();
    lines.extend(change.ignored_drift.iter().map(|(path, reason)| {
        format!("{}  drift is ignored: {}", reporter.clean(&dotted(path)), reporter.clean(reason))
    }));
    lines
}

/// Formats values as `60 (actual) -> 30   last deployment: 30`.
fn values(property: &PropertyChange, reporter: &DeployReporter<'_>) -> String {
    let shown = |value: &Option<String>| value.as_deref().map_or("-".to_owned(), |value| reporter.clean(value));
    let from = match property.before_from.as_deref() {
        Some("ACTUAL_STATE") => " (actual)",
        Some("PREVIOUS_DEPLOYMENT_STATE") => " (last deployment)",
        _ => "",
    };
    let after = if property.is_known_later() { "(known after apply)".to_owned() } else { shown(&property.after) };
    let mut words = format!("{}{from} -> {after}", shown(&property.before));
    if property.previous.is_some() {
        let _ = write!(words, "   last deployment: {}", shown(&property.previous));
    }
    words
}

fn dotted(path: &str) -> String {
    json_pointer::unescaped(&path.trim_start_matches('/').replace('/', "."))
}

fn place(change: &Change, property: &PropertyChange, sources: &mut Sources) -> Option<String> {
    let (origin, _) = sources.of_path(&change.within, &change.logical_id, &keys(&property.path))?;
    Some(origin.place)
}

fn keys(path: &str) -> Vec<String> {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split('/').map(json_pointer::unescaped).collect()
}

/// Adds drift and values to the object of a change, when they were requested.
pub fn add_to(
    object: &mut Value,
    (set, change): (&ChangeSet, &Change),
    reporter: &DeployReporter<'_>,
    sources: Option<&mut Sources>,
) {
    if !set.has_values {
        return;
    }
    let mut sources = sources;
    let mask = |value: &Option<String>| value.as_deref().map(|value| reporter.mask(value));
    let property = |property: &PropertyChange| {
        let found = sources
            .as_deref_mut()
            .and_then(|sources| sources.of_path(&change.within, &change.logical_id, &keys(&property.path)));
        json!({
            "path": property.path,
            "change": property.change,
            "before": mask(&property.before),
            "before_from": property.before_from,
            "after": mask(&property.after),
            "actual": mask(&property.actual),
            "previous": mask(&property.previous),
            "recreation": property.recreation,
            "file": found.as_ref().map(|(origin, _)| &origin.file),
            "line": found.as_ref().map(|(origin, _)| origin.line),
        })
    };
    let properties: Vec<Value> = change.properties.iter().map(property).collect();
    let ignored = change.ignored_drift.iter().map(|(path, reason)| json!({"path": path, "reason": reason}));
    object["drift"] = json!(change.drift);
    object["ignored_drift"] = ignored.collect();
    object["properties"] = properties.into();
}
