//! Conditions and mappings that differ: a call that reads one of them may have another value although it is written alike.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::outside::Outside;
use crate::references::{self, Comparison, Renames};
use crate::side::{Section, Side};
use crate::value::Value;

/// The definitions that differ between two sides.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions<'t> {
    conditions: FxHashSet<&'t str>,
    /// Entries by mapping and top-level key: the second-level keys. Without a key, all of them.
    mappings: FxHashMap<&'t str, FxHashMap<&'t str, FxHashSet<&'t str>>>,
    /// The `AllowedValues` of parameters.
    allowed: FxHashMap<&'t str, Vec<&'t str>>,
}

/// What a key of `Fn::FindInMap` may be.
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
    /// Compares the definitions of two sides. `outside` are names that have another value on the new side.
    pub(crate) fn between(old: &Side<'t>, new: &Side<'t>, outside: &[Outside], strict_types: bool) -> Self {
        let mut found = Definitions::default();
        let renames = Renames::default();
        let plain = Comparison { strict_types, renames: &renames, secrets: &[], definitions: None, resources: None };
        found.mappings(old, new, plain);
        for side in [old, new] {
            for parameter in side.members(Section::Parameters) {
                let values = parameter.value.get("AllowedValues").map(Value::elements).unwrap_or_default();
                if !values.is_empty() {
                    found.allowed.entry(parameter.id).or_default().extend(values.iter().filter_map(Value::text));
                }
            }
        }
        found.conditions(old, new, outside, plain);
        found
    }

    /// Whether nothing differs.
    pub(crate) fn is_empty(&self) -> bool {
        self.conditions.is_empty() && self.mappings.is_empty()
    }

    /// Whether the condition of this name differs.
    pub(crate) fn has_condition(&self, name: &str) -> bool {
        self.conditions.contains(name)
    }

    /// Whether a key of a mapping has an entry that differs.
    pub(crate) fn has_row(&self, mapping: &str, row: &str) -> bool {
        self.mappings.get(mapping).is_some_and(|rows| rows.contains_key(row))
    }

    fn mappings(&mut self, old: &Side<'t>, new: &Side<'t>, plain: Comparison<'_, 't>) {
        for (one, other) in [(old, new), (new, old)] {
            for mapping in one.members(Section::Mappings) {
                let same = other.members(Section::Mappings).iter().find(|known| known.id == mapping.id);
                for (top, row) in mapping.value.members() {
                    let row_there = same.and_then(|same| same.value.get(top));
                    for (second, value) in row.members() {
                        let there = row_there.and_then(|row| row.get(second));
                        if there.is_none_or(|there| !plain.same(value, there)) {
                            self.mappings.entry(mapping.id).or_default().entry(top).or_default().insert(second);
                        }
                    }
                }
            }
        }
    }

    /// The conditions that differ by themselves, and those that name one of them.
    fn conditions(&mut self, old: &Side<'t>, new: &Side<'t>, outside: &[Outside], plain: Comparison<'_, 't>) {
        let before: FxHashMap<&str, &Value<'t>> =
            old.members(Section::Conditions).iter().map(|member| (member.id, &member.value)).collect();
        let mut users: FxHashMap<&'t str, Vec<&'t str>> = FxHashMap::default();
        let mut pending: Vec<&'t str> = Vec::new();
        for member in new.members(Section::Conditions) {
            let is_same = before.get(member.id).is_some_and(|was| plain.same(was, &member.value));
            let mut is_from_outside = false;
            if !outside.is_empty() {
                references::each(&member.value, &mut |name, _| {
                    is_from_outside |= outside.iter().any(|one| one.name == name);
                });
            }
            if !is_same || is_from_outside || self.reads(&member.value) {
                pending.push(member.id);
            }
            named_conditions(&member.value, &mut |name| users.entry(name).or_default().push(member.id));
        }
        let after: FxHashSet<&str> = new.members(Section::Conditions).iter().map(|member| member.id).collect();
        pending
            .extend(old.members(Section::Conditions).iter().map(|member| member.id).filter(|id| !after.contains(id)));
        while let Some(name) = pending.pop() {
            if self.conditions.insert(name) {
                pending.extend(users.get(name).into_iter().flatten());
            }
        }
    }

    /// Whether a call reads a definition that differs, its arguments aside.
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

    /// The definitions that differ which a value reads, in words, each once.
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

    /// Whether a call at or below a value reads a definition that differs.
    fn reads(&self, value: &Value<'t>) -> bool {
        match value {
            Value::Call(function, argument) => self.reads_in(function, argument) || self.reads(argument),
            Value::List(items) => items.iter().any(|item| self.reads(item)),
            Value::Map(members) => members.iter().any(|(_, value)| self.reads(value)),
            _ => false,
        }
    }
}

/// Calls `found` with each condition that a condition names.
fn named_conditions<'t>(value: &Value<'t>, found: &mut dyn FnMut(&'t str)) {
    match value {
        Value::Call("Condition", name) => name.text().into_iter().for_each(found),
        Value::Call(function, argument) => {
            if *function == "Fn::If" {
                argument.elements().first().and_then(Value::text).into_iter().for_each(&mut *found);
            }
            named_conditions(argument, found);
        }
        Value::List(items) => items.iter().for_each(|item| named_conditions(item, found)),
        Value::Map(members) => {
            if let [("Condition", Value::String(name))] = members.as_slice() {
                found(name);
            }
            for (_, value) in members {
                named_conditions(value, found);
            }
        }
        _ => {}
    }
}
