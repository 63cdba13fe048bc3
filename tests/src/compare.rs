//! Comparing templates as data.

use serde_json::{Map, Value};

/// What counts when two templates are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalars {
    /// Strings, numbers and Booleans are distinguished.
    Typed,
    /// A number and its text are the same.
    AsText,
}

/// A comparable form: `DependsOn` as a set, numbers by value or all scalars as text.
#[must_use]
pub fn normal(value: &Value, scalars: Scalars) -> Value {
    match value {
        Value::Object(map) => map
            .iter()
            .map(|(name, value)| {
                let value = normal(value, scalars);
                let value = match value {
                    Value::Array(items) if name == "DependsOn" => set(items),
                    value => value,
                };
                (name.clone(), value)
            })
            .collect(),
        Value::Array(items) => items.iter().map(|item| normal(item, scalars)).collect(),
        Value::Bool(_) | Value::Number(_) if scalars == Scalars::AsText => Value::String(value.to_string()),
        Value::Number(number) => match number.as_f64() {
            // 2.0 and 2 are one number.
            Some(float) if float.fract() == 0.0 && float.abs() < 9e15 => Value::from(float as i64),
            _ => value.clone(),
        },
        other => other.clone(),
    }
}

fn set(mut items: Vec<Value>) -> Value {
    items.sort_by_key(Value::to_string);
    if items.len() == 1 { items.remove(0) } else { Value::Array(items) }
}

/// Where two values differ first, `None` when they are equal. The order of keys does not count.
pub fn first_difference(want: &Value, got: &Value) -> Option<String> {
    difference(want, got, "")
}

fn difference(want: &Value, got: &Value, path: &str) -> Option<String> {
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => {
            for (name, value) in want {
                let path = format!("{path}/{name}");
                match got.get(name) {
                    None => return Some(format!("{path}: missing")),
                    Some(other) => {
                        if let Some(found) = difference(value, other, &path) {
                            return Some(found);
                        }
                    }
                }
            }
            let extra = got.iter().find(|(name, _)| !want.contains_key(*name));
            extra.map(|(name, value)| format!("{path}/{name}: unexpected {}", cut(value)))
        }
        (Value::Array(want), Value::Array(got)) => {
            if want.len() != got.len() {
                return Some(format!("{path}: {} items wanted, {} got", want.len(), got.len()));
            }
            want.iter().zip(got).enumerate().find_map(|(at, (a, b))| difference(a, b, &format!("{path}/{at}")))
        }
        _ => (want != got).then(|| format!("{path}: want {} got {}", cut(want), cut(got))),
    }
}

fn cut(value: &Value) -> String {
    value.to_string().chars().take(120).collect()
}

/// Written in recorded expectations where only deployment knows the value.
const AFTER_DEPLOYMENT: &str = "$after_deploy";

/// What `want` contains that `got` does not, `None` when all of it holds. `got` may contain more. A value
/// that only deployment knows has to be a function.
pub fn missing_part(want: &Value, got: &Value, path: &str) -> Option<String> {
    let is_open = match want {
        Value::String(text) => text.contains(AFTER_DEPLOYMENT),
        Value::Object(map) => map.contains_key(AFTER_DEPLOYMENT),
        _ => false,
    };
    if is_open {
        let kept = got.is_object() || got.is_array();
        return (!kept).then(|| format!("{path}: a value known only after deployment became {}", cut(got)));
    }
    match (want, got) {
        (Value::Object(want), Value::Object(got)) => want.iter().find_map(|(name, value)| {
            let path = format!("{path}/{name}");
            match got.get(name) {
                None => Some(format!("{path}: missing")),
                Some(other) => missing_part(value, other, &path),
            }
        }),
        (Value::Array(want), Value::Array(got)) if want.len() == got.len() => {
            want.iter().zip(got).enumerate().find_map(|(at, (a, b))| missing_part(a, b, &format!("{path}/{at}")))
        }
        _ => (want != got).then(|| format!("{path}: want {} got {}", cut(want), cut(got))),
    }
}

/// `Fn::Sub` with a map in one spelling: references are in the string, the other variables are named
/// by their order.
#[must_use]
pub fn joined_sub(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(joined_sub).collect(),
        Value::Object(map) => {
            let map: Map<String, Value> = map.iter().map(|(name, value)| (name.clone(), joined_sub(value))).collect();
            match map.get("Fn::Sub").and_then(Value::as_array).map(Vec::as_slice) {
                Some([Value::String(text), Value::Object(variables)]) if map.len() == 1 => {
                    crate::data::object("Fn::Sub", one_sub(text, variables))
                }
                _ => Value::Object(map),
            }
        }
        scalar => scalar.clone(),
    }
}

fn one_sub(text: &str, variables: &Map<String, Value>) -> Value {
    let mut left: Map<String, Value> = Map::new();
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let Some(len) = rest[start..].find('}') else { break };
        let variable = &rest[start + 2..start + len];
        out += &rest[..start];
        rest = &rest[start + len + 1..];
        let bound = variables.get(variable).filter(|_| !variable.starts_with('!'));
        let name = bound.map_or_else(
            || variable.to_owned(),
            |bound| {
                reference(bound).unwrap_or_else(|| {
                    let known = left.iter().find(|(_, value)| *value == bound).map(|(name, _)| name.clone());
                    let name = known.unwrap_or_else(|| format!("Variable{}", left.len()));
                    left.insert(name.clone(), bound.clone());
                    name
                })
            },
        );
        out.extend(["${", &name, "}"]);
    }
    out += rest;
    if left.is_empty() { Value::String(out) } else { Value::Array(vec![Value::String(out), Value::Object(left)]) }
}

/// `X` of a `Ref` to it, `X.Arn` of an attribute.
fn reference(value: &Value) -> Option<String> {
    let target = value.get("Ref").or_else(|| value.get("Fn::GetAtt"))?;
    match target {
        Value::String(name) => Some(name.clone()),
        Value::Array(parts) => {
            let parts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
            parts.map(|parts| parts.join("."))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn differences_are_found() {
        let same = |a: Value, b: Value| first_difference(&a, &b);
        assert_eq!(same(json!({"a": 1, "b": [1]}), json!({"b": [1], "a": 1})), None);
        assert_eq!(same(json!({"a": 1}), json!({"a": "1"})), Some("/a: want 1 got \"1\"".into()));
        assert_eq!(same(json!({"a": true}), json!({"a": 1})), Some("/a: want true got 1".into()));
        assert_eq!(same(json!({}), json!({"a": 1})), Some("/a: unexpected 1".into()));
        assert_eq!(same(json!({"a": 1}), json!({})), Some("/a: missing".into()));
        assert_eq!(same(json!([1, 2]), json!([1])), Some(": 2 items wanted, 1 got".into()));
    }

    #[test]
    fn normal_forms() {
        let typed = |value| normal(&value, Scalars::Typed);
        assert_eq!(typed(json!({"DependsOn": ["B", "A"]})), typed(json!({"DependsOn": ["A", "B"]})));
        assert_eq!(typed(json!({"DependsOn": ["A"], "n": 2.0})), json!({"DependsOn": "A", "n": 2}));
        assert_eq!(typed(json!(["B", "A"])), json!(["B", "A"]));
        assert_eq!(normal(&json!([1, true, "1"]), Scalars::AsText), json!(["1", "true", "1"]));
    }

    #[test]
    fn parts() {
        let missing = |want: Value, got: Value| missing_part(&want, &got, "");
        assert_eq!(missing(json!({"a": "x-$after_deploy"}), json!({"a": {"Ref": "B"}})), None);
        assert!(missing(json!({"a": "$after_deploy"}), json!({"a": "made up"})).is_some());
        assert_eq!(missing(json!({"a": 1}), json!({"a": 1, "b": 2})), None);
        assert!(missing(json!([1]), json!([1, 2])).is_some());
    }

    #[test]
    fn sub_with_a_map() {
        let sub = |text: &str, map: Value| json!({"Fn::Sub": [text, map]});
        let get = json!({"Fn::GetAtt": ["X", "Arn"]});
        assert_eq!(joined_sub(&sub("a${V}", json!({"V": get}))), json!({"Fn::Sub": "a${X.Arn}"}));
        let join = json!({"Fn::Join": ["", []]});
        assert_eq!(
            joined_sub(&sub("${!V}${Q}${V}${W}", json!({"V": join, "W": join, "Q": {"Ref": "P"}}))),
            sub("${!V}${P}${Variable0}${Variable0}", json!({"Variable0": join}))
        );
    }
}
