//! References to resources in functions: `Ref`, both forms of `Fn::GetAtt`, placeholders of `Fn::Sub`.

use formwork_template::sub_string;
use formwork_template::value_uses::{self, By};
use serde_json::{Map, Value};

/// A function that may refer to a resource.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Call<'v> {
    Ref(&'v str),
    GetAtt(&'v str, &'v Value),
    /// `Fn::GetAtt` with a single string.
    GetAttText(&'v str, &'v str),
    /// `Fn::Sub`: the string, and its own variables.
    Sub(&'v str, Option<&'v Map<String, Value>>),
}

pub(crate) fn call(value: &Value) -> Option<Call<'_>> {
    let object = value.as_object().filter(|object| object.len() == 1)?;
    let (name, argument) = object.iter().next()?;
    match (name.as_str(), argument) {
        ("Ref", Value::String(id)) => Some(Call::Ref(id)),
        ("Fn::GetAtt", Value::String(text)) => text.split_once('.').map(|(id, rest)| Call::GetAttText(id, rest)),
        ("Fn::GetAtt", Value::Array(items)) => match items.as_slice() {
            [Value::String(id), attribute] => Some(Call::GetAtt(id, attribute)),
            _ => None,
        },
        ("Fn::Sub", Value::String(text)) => Some(Call::Sub(text, None)),
        ("Fn::Sub", Value::Array(items)) => match items.as_slice() {
            [Value::String(text), Value::Object(variables)] => Some(Call::Sub(text, Some(variables))),
            [Value::String(text)] => Some(Call::Sub(text, None)),
            _ => None,
        },
        _ => None,
    }
}

/// Splits a placeholder into the resource and the rest, such as `.Arn`.
pub(crate) fn head(name: &str) -> (&str, &str) {
    let end = name.find('.').unwrap_or(name.len());
    name.split_at(end)
}

/// Calls `visit` with every name below a value that may be that of a resource, without `DependsOn`.
pub(crate) fn visit(value: &Value, visit_name: &mut dyn FnMut(&str)) {
    value_uses::each(value, &mut |one| {
        if !matches!(one.by, By::Condition | By::Import) {
            visit_name(one.name);
        }
    });
}

pub(crate) fn dependencies(body: &Value) -> Vec<&str> {
    match body.get("DependsOn") {
        Some(Value::String(id)) => vec![id],
        Some(Value::Array(ids)) => ids.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

/// Replaces the names of resources in a value. `rename` returns the new name of a resource, if it gets one.
pub(crate) fn rename(value: &Value, rename_id: &dyn Fn(&str) -> Option<String>) -> Value {
    match call(value) {
        Some(Call::Ref(id)) => match rename_id(id) {
            Some(new) => object("Ref", Value::String(new)),
            None => value.clone(),
        },
        Some(Call::GetAttText(id, rest)) => match rename_id(id) {
            Some(new) => object("Fn::GetAtt", Value::String(format!("{new}.{rest}"))),
            None => value.clone(),
        },
        Some(Call::GetAtt(id, attribute)) => {
            let id = rename_id(id).unwrap_or_else(|| id.to_owned());
            object("Fn::GetAtt", Value::Array(vec![Value::String(id), rename(attribute, rename_id)]))
        }
        Some(Call::Sub(text, variables)) => {
            let is_own = |name: &str| variables.is_some_and(|variables| variables.contains_key(name));
            let text = sub_string::renamed(text, &is_own, &|id| rename_id(id).map(Into::into));
            let text = Value::String(text.into_owned());
            let is_alone = value.get("Fn::Sub").is_some_and(Value::is_string);
            match variables {
                Some(variables) => {
                    let variables = rename_values(variables, rename_id);
                    object("Fn::Sub", Value::Array(vec![text, Value::Object(variables)]))
                }
                None if is_alone => object("Fn::Sub", text),
                None => object("Fn::Sub", Value::Array(vec![text])),
            }
        }
        None => match value {
            Value::Array(items) => items.iter().map(|item| rename(item, rename_id)).collect(),
            Value::Object(entries) => Value::Object(rename_values(entries, rename_id)),
            other => other.clone(),
        },
    }
}

/// Replaces the names of resources in the body of a resource, `DependsOn` included.
pub(crate) fn rename_body(body: &Value, rename_id: &dyn Fn(&str) -> Option<String>) -> Value {
    let mut renamed = rename(body, rename_id);
    let new = |id: &Value| match id {
        Value::String(text) => rename_id(text).map_or_else(|| id.clone(), Value::String),
        other => other.clone(),
    };
    if let Some(depends) = renamed.get_mut("DependsOn") {
        *depends = match &*depends {
            Value::Array(ids) => ids.iter().map(new).collect(),
            one => new(one),
        };
    }
    renamed
}

fn rename_values(entries: &Map<String, Value>, rename_id: &dyn Fn(&str) -> Option<String>) -> Map<String, Value> {
    entries.iter().map(|(key, value)| (key.clone(), rename(value, rename_id))).collect()
}

fn object(name: &str, argument: Value) -> Value {
    Value::Object([(name.to_owned(), argument)].into_iter().collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn old_to_new(id: &str) -> Option<String> {
        (id == "Old").then(|| "New".to_owned())
    }

    #[test]
    fn every_reference_is_renamed_and_nothing_else() {
        let body = json!({
            "Type": "AWS::SNS::Topic",
            "DependsOn": ["Old", "Other"],
            "Properties": {
                "A": {"Ref": "Old"},
                "B": {"Fn::GetAtt": "Old.Arn"},
                "C": {"Fn::GetAtt": ["Old", "Arn"]},
                "D": {"Fn::Sub": "a${Old}-${Old.Arn}-${!Old}-${Older}"},
                "E": {"Fn::Sub": ["${Old}-${Mine}", {"Old": "x", "Mine": {"Ref": "Old"}}]},
                "F": "Old ${Old}",
                "Old": {"Ref": "AWS::Region"},
            },
        });
        let renamed = rename_body(&body, &old_to_new);
        let want = json!({
            "Type": "AWS::SNS::Topic",
            "DependsOn": ["New", "Other"],
            "Properties": {
                "A": {"Ref": "New"},
                "B": {"Fn::GetAtt": "New.Arn"},
                "C": {"Fn::GetAtt": ["New", "Arn"]},
                "D": {"Fn::Sub": "a${New}-${New.Arn}-${!Old}-${Older}"},
                "E": {"Fn::Sub": ["${Old}-${Mine}", {"Old": "x", "Mine": {"Ref": "New"}}]},
                "F": "Old ${Old}",
                "Old": {"Ref": "AWS::Region"},
            },
        });
        assert_eq!(renamed.to_string(), want.to_string(), "in the same order");
        assert_eq!(rename_body(&json!({"DependsOn": "Old"}), &old_to_new), json!({"DependsOn": "New"}));
    }

    #[test]
    fn names_are_found_where_functions_have_them() {
        let mut names = Vec::new();
        let value = json!([
            {"Ref": "A"}, {"Fn::GetAtt": ["B", "Arn"]}, {"Fn::GetAtt": "C.X.Y"}, {"Ref": "D", "no": "call"},
            {"Fn::Sub": ["${E.Arn}${Own}${!F}${", {"Own": {"Ref": "G"}}]},
        ]);
        visit(&value, &mut |name| names.push(name.to_owned()));
        names.sort();
        assert_eq!(names, ["A", "B", "C", "E", "G"]);
    }
}
