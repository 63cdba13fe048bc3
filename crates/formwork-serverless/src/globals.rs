//! `Globals`: properties for all resources of a type.

use formwork_syntax::NodeId;
use formwork_template::serverless_globals::{self, IGNORE};

use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Data, Map, Value};

fn refuse(sentence: &str, at: Option<NodeId>) -> Refusal {
    Refusal::new(sentence).at(at)
}

/// Compares the section with the properties that may be global.
pub(crate) fn check(globals: &Value) -> Result<(), Refusal> {
    of_sections(globals).map_err(Refusal::of_globals)
}

fn of_sections(globals: &Value) -> Result<(), Refusal> {
    let Some(sections) = globals.map() else {
        return Err(refuse("It must be a non-empty dictionary", globals.origin()));
    };
    for (name, section) in sections.iter() {
        let Some(known) = serverless_globals::properties(name) else {
            let known = serverless_globals::types();
            let names = shown::list(known.clone());
            let sentence = format!("'{name}' is not supported. Must be one of the following values - {names}");
            let title = format!("Globals has no section {name}");
            return Err(refuse(&sentence, sections.key(name)).about(name).titled(title).among(known));
        };
        let Some(properties) = section.map() else {
            return Err(refuse("Value of ${section} must be a dictionary", section.origin()));
        };
        if let Some(unknown) = properties.keys().find(|property| !known.contains(property)) {
            let sentence = format!(
                "'{unknown}' is not a supported property of '{name}'. Must be one of the following values - {}",
                shown::list(known.iter().copied())
            );
            let title = format!("{unknown} of {name} cannot be global");
            let refusal = refuse(&sentence, properties.key(unknown)).about(unknown).titled(title);
            return Err(refusal.among(known.iter().copied()));
        }
    }
    Ok(())
}

/// Merges the properties that are global for the type of a resource into its own.
pub(crate) fn merge(globals: &Value, id: &str, resource: &mut Value) -> Result<(), Refusal> {
    let Some(section) = section(globals, resource).and_then(Value::map) else { return Ok(()) };
    let Some(section) = wanted(section, id, resource)? else { return Ok(()) };
    let own = resource.get("Properties").cloned().unwrap_or_else(|| Map::new().into());
    resource.as_map().set("Properties", merged(&Value::from(section), &own));
    Ok(())
}

/// Keeps the order of tags of APIs of the second version: only the section of REST APIs becomes dictionaries of the
/// translator.
pub(crate) fn keep_order(globals: &mut Value) {
    let section = globals.stamped("HttpApi").and_then(|section| section.stamped("Tags"));
    if let Some(tags) = section.and_then(Value::map_for_history) {
        tags.history_from(0).is_plain = true;
    }
}

/// Returns the global properties of a resource's type.
pub(crate) fn section<'g>(globals: &'g Value, resource: &Value) -> Option<&'g Value> {
    let kind = resource.get("Type").and_then(Value::text)?;
    globals.get(kind.strip_prefix("AWS::Serverless::")?)
}

/// Returns the properties without those that the resource ignores; `None` when it ignores all.
fn wanted(section: &Map, id: &str, resource: &Value) -> Result<Option<Map>, Refusal> {
    let Some(ignored) = resource.get(IGNORE) else { return Ok(Some(section.clone())) };
    if ignored.text() == Some("*") {
        return Ok(None);
    }
    let Some(names) = ignored.list() else {
        let sentence = format!("Resource {id} has invalid resource attribute '{IGNORE}'.");
        return Err(refuse(&sentence, ignored.origin()));
    };
    let mut section = section.clone();
    for name in names {
        if name.text().and_then(|name| section.remove(name)).is_none() {
            let shown = shown::plain(name);
            let sentence = format!("Resource {id} has invalid resource attribute '{IGNORE}' on item '{shown}'.");
            return Err(refuse(&sentence, name.origin()));
        }
    }
    Ok(Some(section))
}

/// The list that is not merged: a function has one architecture.
const REPLACED: &str = "Architectures";

/// Returns a global value with an own one: lists follow each other, mappings are merged, else the own one wins.
fn merged(global: &Value, own: &Value) -> Value {
    match (global.data(), own.data()) {
        (Data::List(one), Data::List(other)) => {
            Value::from(one.iter().chain(other).cloned().collect::<Vec<Value>>()).at(own.origin())
        }
        (Data::Map(one), Data::Map(other)) if !global.is_call() && !own.is_call() => {
            let mut map = one.clone();
            for (name, key, value) in other.members() {
                let value = match map.get(name) {
                    Some(global) if name != REPLACED => merged(global, value),
                    _ => value.clone(),
                };
                map.set_with_key(name, key, value);
            }
            Value::from(map).at(own.origin())
        }
        _ => own.clone(),
    }
}
