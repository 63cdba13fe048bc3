//! Compares resources apart from the names of the resources that they refer to.

use formwork_template::sub_string::{Part, parts};
use serde_json::{Map, Value, json};

use crate::references::{Call, call, dependencies, head};

/// Relates the resources and parameters of the old template to those of the new one.
pub(crate) struct Relation<'r> {
    /// Returns `true` if a name of the old template corresponds to one of the new template.
    pub(crate) is_same: &'r dyn Fn(&str, &str) -> bool,
    /// Returns `true` if a function may be replaced by another value since a resource that they refer to is in another
    /// stack.
    pub(crate) may_differ: &'r dyn Fn(&Value, &Value) -> bool,
}

/// Returns `true` if the bodies of two resources are the same. The order of keys and of `DependsOn` is ignored.
pub(crate) fn bodies(old: &Value, new: &Value, relation: &Relation<'_>) -> bool {
    let (Some(old_keys), Some(new_keys)) = (old.as_object(), new.as_object()) else { return false };
    let rest = |keys: &Map<String, Value>| keys.keys().filter(|key| *key != "DependsOn").count();
    rest(old_keys) == rest(new_keys)
        && same_dependencies(old, new, relation)
        && old_keys
            .iter()
            .filter(|(key, _)| *key != "DependsOn")
            .all(|(key, value)| new_keys.get(key).is_some_and(|other| values(value, other, relation)))
}

fn same_dependencies(old: &Value, new: &Value, relation: &Relation<'_>) -> bool {
    let mut left = dependencies(new);
    for name in dependencies(old) {
        match left.iter().position(|other| (relation.is_same)(name, other)) {
            Some(at) => drop(left.swap_remove(at)),
            // A moved resource cannot be waited for.
            None if (relation.may_differ)(&json!({"Ref": name}), &Value::Null) => {}
            None => return false,
        }
    }
    left.iter().all(|name| (relation.may_differ)(&Value::Null, &json!({"Ref": name})))
}

/// Returns `true` if two values are the same. Scalars are compared as strings.
pub(crate) fn values(old: &Value, new: &Value, relation: &Relation<'_>) -> bool {
    is_equal(old, new, relation) || (call(old).is_some() || call(new).is_some()) && (relation.may_differ)(old, new)
}

fn is_equal(old: &Value, new: &Value, relation: &Relation<'_>) -> bool {
    match (call(old), call(new)) {
        (Some(Call::Ref(one)), Some(Call::Ref(other))) => (relation.is_same)(one, other),
        (Some(Call::Sub(text, own)), Some(Call::Sub(other, others))) => {
            same_strings((text, own), (other, others), relation)
        }
        (Some(one), Some(other)) => match (attribute(one), attribute(other)) {
            (Some((id, rest)), Some((other, other_rest))) => {
                (relation.is_same)(id, other) && values(&rest, &other_rest, relation)
            }
            _ => false,
        },
        (None, None) => match (old, new) {
            (Value::Array(items), Value::Array(others)) => {
                items.len() == others.len()
                    && items.iter().zip(others).all(|(item, other)| values(item, other, relation))
            }
            (Value::Object(entries), Value::Object(others)) => {
                entries.len() == others.len()
                    && entries
                        .iter()
                        .all(|(key, value)| others.get(key).is_some_and(|other| values(value, other, relation)))
            }
            (old, new) => text(old).zip(text(new)).is_some_and(|(old, new)| old == new),
        },
        _ => false,
    }
}

fn attribute(call: Call<'_>) -> Option<(&str, Value)> {
    match call {
        Call::GetAtt(id, attribute) => Some((id, attribute.clone())),
        Call::GetAttText(id, rest) => Some((id, rest.into())),
        Call::Ref(_) | Call::Sub(..) => None,
    }
}

type Text<'v> = (&'v str, Option<&'v Map<String, Value>>);

fn same_strings((old, own): Text<'_>, (new, others): Text<'_>, relation: &Relation<'_>) -> bool {
    let (parts, other_parts): (Vec<_>, Vec<_>) = (parts(old).collect(), parts(new).collect());
    let empty = Map::new();
    let (own, others) = (own.unwrap_or(&empty), others.unwrap_or(&empty));
    let same_part = |one: &Part<'_>, other: &Part<'_>| match (one, other) {
        (Part::Variable(one), Part::Variable(other)) => match (own.contains_key(*one), others.contains_key(*other)) {
            (true, true) => one == other,
            (false, false) => {
                let ((id, rest), (other, other_rest)) = (head(one), head(other));
                rest == other_rest && (relation.is_same)(id, other)
            }
            _ => false,
        },
        _ => one == other,
    };
    parts.len() == other_parts.len()
        && parts.iter().zip(&other_parts).all(|(one, other)| same_part(one, other))
        && own.len() == others.len()
        && own.iter().all(|(name, value)| others.get(name).is_some_and(|other| values(value, other, relation)))
}

/// Returns a scalar as the string that CloudFormation reads.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Null => Some(String::new()),
        Value::Array(_) | Value::Object(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(old: &Value, new: &Value) -> bool {
        let is_same = |old: &str, new: &str| old == new && old != "Old" || old == "Old" && new == "New";
        bodies(old, new, &Relation { is_same: &is_same, may_differ: &|_, _| false })
    }

    #[test]
    fn forms_that_mean_the_same_are_the_same() {
        let old = json!({"Type": "T", "DependsOn": "Old", "Properties": {
            "A": 1, "B": true, "C": {"Fn::GetAtt": "Old.Arn"}, "D": {"Fn::Sub": ["${Old.Arn}!", {}]}, "E": ["x"]}});
        let new = json!({"DependsOn": ["New"], "Properties": {
            "D": {"Fn::Sub": "${New.Arn}!"}, "A": "1", "B": "true", "C": {"Fn::GetAtt": ["New", "Arn"]}, "E": ["x"]},
            "Type": "T"});
        assert!(same(&old, &new));
        for (path, value) in [
            ("/Properties/A", json!(2)),
            ("/Properties/C", json!({"Fn::GetAtt": ["New", "Name"]})),
            ("/Properties/C", json!({"Fn::GetAtt": ["Old", "Arn"]})),
            ("/Properties/D", json!({"Fn::Sub": "${New.Arn}?"})),
            ("/Properties/D", json!({"Fn::Sub": ["${New.Arn}!", {"New.Arn": "x"}]})),
            ("/Properties/E", json!(["x", "y"])),
            ("/Properties/E", json!({"Ref": "x"})),
            ("/DependsOn", json!([])),
            ("/Type", json!("U")),
        ] {
            let mut other = new.clone();
            *other.pointer_mut(path).expect("there") = value;
            assert!(!same(&old, &other), "{path}");
        }
    }
}
