//! Removes file paths from templates before they are compared (reference/sync.md#decision).

use serde_json::Value;

/// Removes the file path at `property` (dotted) of a resource.
pub(crate) fn remove_path(template: &mut Value, resource: &str, property: &str) {
    let properties = template.pointer_mut("/Resources").and_then(|all| all.get_mut(resource)?.get_mut("Properties"));
    let mut place = properties;
    for name in property.split('.') {
        place = place.and_then(|value| match value {
            Value::Object(members) => members.get_mut(name),
            Value::Array(items) => items.get_mut(name.parse::<usize>().ok()?),
            _ => None,
        });
    }
    if let Some(place) = place {
        remove_value(place);
    }
}

/// Removes the path of `CodeUri` from the function `Globals`.
pub(crate) fn remove_global_path(template: &mut Value) {
    if let Some(place) = template.pointer_mut("/Globals/Function/CodeUri") {
        remove_value(place);
    }
}

/// Replaces a path by null, in each branch of an `Fn::If`; the condition and every other expression stay.
fn remove_value(value: &mut Value) {
    match value {
        Value::String(_) => *value = Value::Null,
        Value::Object(members) if members.len() == 1 => {
            if let Some(Value::Array(branches)) = members.get_mut("Fn::If") {
                branches.iter_mut().skip(1).for_each(remove_value);
            }
        }
        _ => {}
    }
}

/// Appends a value as a string that does not depend on the order of properties.
pub(crate) fn canonical(value: &Value, text: &mut String) {
    match value {
        Value::Object(members) => {
            let mut sorted: Vec<_> = members.iter().collect();
            sorted.sort_unstable_by_key(|(name, _)| *name);
            text.push('{');
            for (name, value) in sorted {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(value, text);
                text.push(',');
            }
            text.push('}');
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                canonical(item, text);
                text.push(',');
            }
            text.push(']');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_path_alone_goes() {
        let mut template = json!({"Resources": {"A": {"Properties": {
            "Code": "./a", "Handler": "a.b",
            "Uri": {"Fn::If": ["IsProd", "./p", {"Fn::If": ["B", "./b", {"Ref": "AWS::NoValue"}]}]},
            "Functions": {"f": {"CodeUri": "./f"}},
            "Remote": {"Ref": "Bucket"},
        }}}});
        for property in ["Code", "Uri", "Functions.f.CodeUri", "Remote", "Missing.Deep"] {
            remove_path(&mut template, "A", property);
        }
        remove_path(&mut template, "AWS::Include", "Location");
        assert_eq!(
            template["Resources"]["A"]["Properties"],
            json!({
                "Code": null, "Handler": "a.b",
                "Uri": {"Fn::If": ["IsProd", null, {"Fn::If": ["B", null, {"Ref": "AWS::NoValue"}]}]},
                "Functions": {"f": {"CodeUri": null}},
                "Remote": {"Ref": "Bucket"},
            })
        );
    }

    #[test]
    fn order_does_not_count_and_kinds_do() {
        let text = |value| {
            let mut text = String::new();
            canonical(&value, &mut text);
            text
        };
        assert_eq!(text(json!({"a": 1, "b": [{"c": 1, "d": 2}]})), text(json!({"b": [{"d": 2, "c": 1}], "a": 1})));
        assert_ne!(text(json!({"a": "1"})), text(json!({"a": 1})));
        assert_ne!(text(json!(["a", "b"])), text(json!(["b", "a"])));
        assert_ne!(text(json!(["a\",\"b"])), text(json!(["a", "b"])));
    }
}
