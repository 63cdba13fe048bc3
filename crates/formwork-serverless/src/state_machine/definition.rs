//! `Definition` and `DefinitionUri`.
//!
//! A definition becomes JSON with sorted keys, line by line, in an `Fn::Join`; a call in it becomes a placeholder, with a
//! substitution of the state machine.

use crate::artifact::{self, Names};
use crate::context::Input;
use crate::hash;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Data, Map, Value};

const NAMES: Names = Names { bucket: "Bucket", key: "Key", version: "Version" };

const INDENT: &str = "    ";

/// Sets the definition of the state machine.
pub(super) fn set(input: &Input, machine: &mut Resource) -> Result<(), Refusal> {
    let substitutions = input.properties.get("DefinitionSubstitutions").filter(|value| value.is_true());
    match (input.get("Definition"), input.get("DefinitionUri")) {
        (Some(_), Some(location)) => {
            let sentence = "Specify either 'Definition' or 'DefinitionUri' property and not both.";
            return Err(Refusal::new(sentence).at(location.origin()));
        }
        (None, None) => {
            return Err(Refusal::new("Either 'Definition' or 'DefinitionUri' property must be specified."));
        }
        (None, Some(location)) => {
            let location = artifact::location(location, "DefinitionUri", &NAMES)?;
            machine.set("DefinitionS3Location", location);
            machine.set_some("DefinitionSubstitutions", substitutions.cloned());
        }
        (Some(definition), None) => {
            let mut lines = Lines::default();
            lines.value(definition, "", 0, "", true);
            let origin = definition.origin();
            machine.set("DefinitionString", make::join("\n", lines.list).at(origin));
            let mut all = substitutions.cloned().unwrap_or_else(|| Map::new().into());
            if !lines.substitutions.is_empty()
                && let Some(members) = all.map_mut()
            {
                for (name, value) in lines.substitutions {
                    members.set(&name, value);
                }
            }
            machine.set_some("DefinitionSubstitutions", Some(all).filter(Value::is_true));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Lines {
    list: Vec<Value>,
    substitutions: Vec<(String, Value)>,
}

impl Lines {
    /// Adds the lines of a value. `before` is in its first line, a comma or nothing, `after`, in the last one.
    fn value(&mut self, value: &Value, before: &str, depth: usize, after: &str, is_root: bool) {
        let origin = value.origin();
        let indent = INDENT.repeat(depth);
        match value.data() {
            Data::Map(map) if value.is_call() && !is_root => {
                let name = format!("definition_substitution_{}", self.substitutions.len() + 1);
                self.push(format!("{indent}{before}\"${{{name}}}\"{after}"), value);
                self.substitutions.push((name, Value::from(map.clone()).at(origin)));
            }
            Data::Map(map) if !map.is_empty() => {
                self.push(format!("{indent}{before}{{"), value);
                let mut entries: Vec<(&str, &Value)> = map.iter().collect();
                entries.sort_by_key(|(key, _)| *key);
                let last = entries.len().saturating_sub(1);
                for (number, (key, value)) in entries.into_iter().enumerate() {
                    let key = format!("{}: ", json(&Value::from(key)));
                    self.value(value, &key, depth + 1, if number == last { "" } else { "," }, false);
                }
                self.push(format!("{indent}}}{after}"), value);
            }
            Data::List(items) if !items.is_empty() => {
                self.push(format!("{indent}{before}["), value);
                let last = items.len().saturating_sub(1);
                for (number, item) in items.iter().enumerate() {
                    self.value(item, "", depth + 1, if number == last { "" } else { "," }, false);
                }
                self.push(format!("{indent}]{after}"), value);
            }
            _ => self.push(format!("{indent}{before}{}{after}", json(value)), value),
        }
    }

    fn push(&mut self, line: String, of: &Value) {
        self.list.push(Value::from(line).at(of.origin()));
    }
}

fn json(value: &Value) -> String {
    hash::sorted_json(&value.into())
}
