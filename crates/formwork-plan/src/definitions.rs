//! Differing conditions and mappings: a call that reads one of them may have another value although it is written
//! alike.

use rustc_hash::{FxHashMap, FxHashSet};

use formwork_template::value::Value;

#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions<'t> {
    pub(crate) conditions: FxHashSet<&'t str>,
    /// Second-level keys that differ, by mapping and top-level key; if the key is missing, all of them.
    pub(crate) mappings: FxHashMap<&'t str, FxHashMap<&'t str, FxHashSet<&'t str>>>,
    /// `AllowedValues` of parameters.
    pub(crate) allowed: FxHashMap<&'t str, Vec<&'t str>>,
}

enum Key<'k, 't> {
    Text(&'t str),
    Allowed(&'k [&'t str]),
    Any,
}

impl Key<'_, '_> {
    fn may_be(&self, text: &str) -> bool {
        match self {
            Key::Text(own) => *own == text,
            Key::Allowed(values) => values.contains(&text),
            Key::Any => true,
        }
    }
}

impl<'t> Definitions<'t> {
    pub(crate) fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.mappings.is_empty()
    }

    pub(crate) fn has_condition(&self, name: &str) -> bool {
        self.conditions.contains(name)
    }

    pub(crate) fn has_row(&self, mapping: &str, row: &str) -> bool {
        self.mappings.get(mapping).is_some_and(|rows| rows.contains_key(row))
    }

    /// Returns `true` if a call reads a definition that differs, its arguments aside.
    pub(crate) fn reads_in(&self, function: &str, argument: &Value<'t>) -> bool {
        match (function, argument.elements()) {
            _ if self.is_empty() => false,
            ("Condition", [name]) | ("Fn::If", [name, ..]) => {
                name.text().is_some_and(|name| self.conditions.contains(name))
            }
            ("Fn::FindInMap", [map, top, second, ..]) => {
                let (map, top, second) = (self.key(map), self.key(top), self.key(second));
                let rows = |rows: &FxHashMap<&str, FxHashSet<&str>>| {
                    let mut reached = rows.iter().filter(|(key, _)| top.may_be(key));
                    reached.any(|(_, entries)| entries.iter().any(|key| second.may_be(key)))
                };
                self.mappings.iter().any(|(name, entries)| map.may_be(name) && rows(entries))
            }
            _ => false,
        }
    }

    fn key(&self, value: &Value<'t>) -> Key<'_, 't> {
        match value {
            Value::Call("Ref", name) => {
                let allowed = name.text().and_then(|name| self.allowed.get(name));
                allowed.map_or(Key::Any, |values| Key::Allowed(values))
            }
            value => value.text().map_or(Key::Any, Key::Text),
        }
    }

    /// Returns the differing definitions that a value reads, in words, without duplicates.
    pub(crate) fn named(&self, value: &Value<'t>) -> Vec<String> {
        let mut found = Vec::new();
        self.name(value, &mut found);
        let mut seen = FxHashSet::default();
        found.retain(|name| seen.insert(name.clone()));
        found
    }

    fn name(&self, value: &Value<'t>, found: &mut Vec<String>) {
        match value {
            Value::Call(function, argument) => {
                if self.reads_in(function, argument) {
                    let what = if *function == "Fn::FindInMap" { "mapping" } else { "condition" };
                    let name = argument.elements().first().and_then(Value::text);
                    found.push(name.map_or_else(|| "mappings".to_owned(), |name| format!("{what} {name}")));
                }
                self.name(argument, found);
            }
            Value::List(items) => items.iter().for_each(|item| self.name(item, found)),
            Value::Map(members) => members.iter().for_each(|(_, value)| self.name(value, found)),
            _ => {}
        }
    }

    pub(crate) fn reads(&self, value: &Value<'t>) -> bool {
        match value {
            Value::Call(function, argument) => self.reads_in(function, argument) || self.reads(argument),
            Value::List(items) => items.iter().any(|item| self.reads(item)),
            Value::Map(members) => members.iter().any(|(_, value)| self.reads(value)),
            _ => false,
        }
    }
}
