//! The names without a value that decide the form of an entry, and the values that make a difference
//! (reference/plan.md#unknown).

use formwork_template::PseudoParameter;
use rustc_hash::FxHashSet;

use crate::change::Definition;
use crate::definitions::Definitions;
use crate::open::form;
use crate::outside::Outside;
use crate::plan::differs;
use crate::references;
use crate::ways::Unknown;
use formwork_template::Section;
use formwork_template::side::{Member, Side};
use formwork_template::value::Value;

/// An entry of Resources or Outputs that differs, or may differ, and the names that decide how.
#[derive(Clone, Debug)]
pub struct Undecided<'t> {
    /// Section of the entry.
    pub section: Section,
    /// Name of the entry.
    pub id: &'t str,
    /// The names, in order of occurrence.
    pub unknowns: Vec<Unknown>,
}

/// Returns the entries that may differ and depend on unknown values. Names of `outside` have values of their own on
/// both sides, which are not assumed.
pub fn undecided<'t>(old: &Side<'t>, new: &Side<'t>, outside: &[Outside], strict_types: bool) -> Vec<Undecided<'t>> {
    let definitions = Definitions::between(old, new, outside, strict_types);
    let mut found = Vec::new();
    for section in [Section::Resources, Section::Outputs] {
        let before: rustc_hash::FxHashMap<&str, &Member<'t>> =
            old.members(section).iter().map(|member| (member.id, member)).collect();
        let after: FxHashSet<&str> = new.members(section).iter().map(|member| member.id).collect();
        let pairs = new.members(section).iter().map(|member| (before.get(member.id).copied(), Some(member)));
        let gone = old.members(section).iter().filter(|member| !after.contains(member.id));
        for pair in pairs.chain(gone.map(|member| (Some(member), None))) {
            let Some(id) = pair.1.or(pair.0).map(|member| member.id) else { continue };
            if !differs(section, pair, &definitions, strict_types) {
                continue;
            }
            let mut uses = Uses { definitions: &definitions, outside, unknowns: Vec::new() };
            for (member, side) in [(pair.0, old), (pair.1, new)] {
                let Some(member) = member else { continue };
                let mut walk = Walk { uses: &mut uses, side, seen: FxHashSet::default() };
                walk.condition(member.value.get("Condition").and_then(Value::text));
                walk.value(&member.value);
            }
            for unknown in &mut uses.unknowns {
                close(unknown, [old, new]);
            }
            if !uses.unknowns.is_empty() {
                found.push(Undecided { section, id, unknowns: uses.unknowns });
            }
        }
    }
    found
}

/// Limits a name to its `AllowedValues`, on both sides if both have them; else any other value is possible.
fn close(unknown: &mut Unknown, sides: [&Side<'_>; 2]) {
    let mut allowed: Option<Vec<String>> = None;
    for side in sides {
        let parameter = side.members(Section::Parameters).iter().find(|member| member.id == unknown.name);
        let values = parameter.and_then(|member| member.value.get("AllowedValues")).map(Value::elements);
        let Some(values) = values.filter(|values| !values.is_empty()) else { continue };
        let texts: Vec<String> = values.iter().filter_map(Value::text).map(str::to_owned).collect();
        allowed = Some(match allowed {
            Some(known) => known.into_iter().filter(|value| texts.contains(value)).collect(),
            None => texts,
        });
    }
    match allowed.filter(|values| !values.is_empty()) {
        Some(values) => unknown.values = values.into_iter().map(Some).collect(),
        None => unknown.values.push(None),
    }
}

struct Uses<'u, 't> {
    definitions: &'u Definitions<'t>,
    outside: &'u [Outside],
    unknowns: Vec<Unknown>,
}

impl Uses<'_, '_> {
    /// Adds a name that decides at a definition, between these values.
    fn add(&mut self, name: &str, values: Vec<String>, definition: &Definition, is_changed: bool) {
        let at = self.unknowns.iter().position(|unknown| unknown.name == name).unwrap_or_else(|| {
            self.unknowns.push(Unknown { name: name.to_owned(), values: Vec::new(), definitions: Vec::new() });
            self.unknowns.len() - 1
        });
        let Some(unknown) = self.unknowns.get_mut(at) else { return };
        for value in values {
            let value = Some(value);
            if !unknown.values.contains(&value) {
                unknown.values.push(value);
            }
        }
        if !unknown.definitions.contains(definition) {
            let place = if is_changed { 0 } else { unknown.definitions.len() };
            unknown.definitions.insert(place, definition.clone());
        }
    }
}

struct Walk<'w, 'u, 't> {
    uses: &'w mut Uses<'u, 't>,
    side: &'w Side<'t>,
    seen: FxHashSet<&'t str>,
}

impl<'t> Walk<'_, '_, 't> {
    /// Returns `true` if values of a name may be assumed: a parameter that is a string, or a pseudo parameter.
    fn is_open(&self, name: &str) -> bool {
        if self.uses.outside.iter().any(|one| one.name == name) {
            return false;
        }
        if let Some(pseudo) = PseudoParameter::from_name(name) {
            return !matches!(
                pseudo,
                PseudoParameter::NoValue | PseudoParameter::NotificationArns | PseudoParameter::StackId
            );
        }
        let parameter = self.side.members(Section::Parameters).iter().find(|member| member.id == name);
        parameter.is_some_and(|member| {
            let kind = member.value.get("Type").and_then(Value::text).unwrap_or_default();
            let is_secret = member.value.get("NoEcho").and_then(Value::text) == Some("true");
            !is_secret && !kind.starts_with("AWS::SSM::") && !kind.contains("List<") && kind != "CommaDelimitedList"
        })
    }

    fn condition(&mut self, name: Option<&'t str>) {
        let mut pending: Vec<&'t str> = name.into_iter().collect();
        while let Some(name) = pending.pop() {
            if !self.seen.insert(name) {
                continue;
            }
            let side = self.side;
            let Some(member) = side.members(Section::Conditions).iter().find(|member| member.id == name) else {
                continue;
            };
            let definition = Definition { section: Section::Conditions, id: name.to_owned(), row: None };
            self.decides(&member.value, &definition, &mut pending);
        }
    }

    /// Adds the names that decide a condition, and the conditions that it refers to.
    fn decides(&mut self, value: &Value<'t>, definition: &Definition, pending: &mut Vec<&'t str>) {
        match value {
            Value::Call("Condition", name) => pending.extend(name.text()),
            Value::Call("Fn::Equals", operands) => {
                if let [a, b] = operands.elements() {
                    self.compared(a, b, definition);
                    self.compared(b, a, definition);
                }
                self.value(operands);
            }
            Value::Call("Fn::If" | "Fn::FindInMap" | "Fn::Select", _) => self.value(value),
            Value::Call(_, argument) => self.decides(argument, definition, pending),
            Value::List(items) => items.iter().for_each(|item| self.decides(item, definition, pending)),
            Value::Map(members) => match members.as_slice() {
                [("Condition", Value::String(name))] => pending.push(name),
                members => members.iter().for_each(|(_, value)| self.decides(value, definition, pending)),
            },
            _ => {}
        }
    }

    /// Adds the values that a compared string has to differ from.
    fn compared(&mut self, value: &Value<'t>, other: &Value<'t>, definition: &Definition) {
        let is_changed = self.uses.definitions.has_condition(&definition.id);
        if let Some((name, prefix, suffix)) = form(value).filter(|(name, ..)| self.is_open(name)) {
            let inner = other.text().and_then(|text| text.strip_prefix(&*prefix)?.strip_suffix(&*suffix));
            let values = inner.map(str::to_owned).into_iter().collect();
            self.uses.add(name, values, definition, is_changed);
            return;
        }
        let mut names = Vec::new();
        references::each(value, &mut |name, _| names.push(name));
        names.retain(|name| self.is_open(name));
        for name in names {
            self.uses.add(name, Vec::new(), definition, is_changed);
        }
    }

    /// Adds the names that decide in a value: conditions of `Fn::If`, keys of mappings, the index of `Fn::Select`.
    fn value(&mut self, value: &Value<'t>) {
        match value {
            Value::Call(function, argument) => {
                match (*function, argument.elements()) {
                    ("Fn::If", [name, ..]) => self.condition(name.text()),
                    ("Fn::FindInMap", [map, top, second, ..]) => self.keys(map, top, second),
                    ("Fn::Select", [Value::Call("Ref", name), Value::List(items)]) => {
                        if let Some(name) = name.text().filter(|name| self.is_open(name)) {
                            let numbers = (0..items.len()).map(|at| at.to_string()).collect();
                            let definition =
                                Definition { section: Section::Parameters, id: name.to_owned(), row: None };
                            self.uses.add(name, numbers, &definition, false);
                        }
                    }
                    _ => {}
                }
                self.value(argument);
            }
            Value::List(items) => items.iter().for_each(|item| self.value(item)),
            Value::Map(members) => members.iter().for_each(|(_, value)| self.value(value)),
            _ => {}
        }
    }

    fn keys(&mut self, map: &Value<'t>, top: &Value<'t>, second: &Value<'t>) {
        let side = self.side;
        let mappings = side.members(Section::Mappings);
        if let Some((name, prefix, suffix)) = form(map).filter(|(name, ..)| self.is_open(name)) {
            let inner = |id: &'t str| Some(id.strip_prefix(&*prefix)?.strip_suffix(&*suffix)?.to_owned());
            let names = mappings.iter().filter_map(|member| inner(member.id)).collect();
            let definition = Definition { section: Section::Mappings, id: String::new(), row: None };
            self.uses.add(name, names, &definition, false);
        }
        let meant = mappings.iter().filter(|member| map.text().is_none_or(|name| name == member.id));
        for mapping in meant {
            for (row, entries) in mapping.value.members() {
                let definition =
                    Definition { section: Section::Mappings, id: mapping.id.to_owned(), row: Some((*row).to_owned()) };
                let is_changed = self.uses.definitions.has_row(mapping.id, row);
                self.key(top, row, &definition, is_changed);
                if top.text().is_none_or(|text| text == *row) {
                    for (key, _) in entries.members() {
                        self.key(second, key, &definition, is_changed);
                    }
                }
            }
        }
    }

    fn key(&mut self, key: &Value<'t>, text: &str, definition: &Definition, is_changed: bool) {
        let Some((name, prefix, suffix)) = form(key).filter(|(name, ..)| self.is_open(name)) else { return };
        if let Some(inner) = text.strip_prefix(&*prefix).and_then(|rest| rest.strip_suffix(&*suffix)) {
            self.uses.add(name, vec![inner.to_owned()], definition, is_changed);
        }
    }
}
