//! Finding the conditions and mappings that differ between two sides.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::comparison::Comparison;
use crate::definitions::Definitions;
use crate::outside::Outside;
use crate::references::{self, Renames};
use formwork_template::Section;
use formwork_template::side::Side;
use formwork_template::value::Value;

impl<'t> Definitions<'t> {
    /// Compares two sides. `outside` lists names that have another value on the new side.
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

    /// Collects the conditions that differ themselves, and those that refer to one of them.
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
}

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
