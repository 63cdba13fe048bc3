//! Prepares an expanded template for local functions: every parameter has a value, and references to resources, which
//! have values only after deployment, become names (reference/local.md#values).

use formwork_template::attribute::is_nested_stack;
use serde_json::{Map, Value, json};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Binding {
    pub(crate) name: String,
    /// Elements of a list are joined by commas.
    pub(crate) value: String,
}

/// Rewrites an expanded template so that evaluation resolves everything in it. `bindings` are values of parameters; one
/// without a value and without a `Default` has its name as value. Returns the names that replaced references to
/// resources in the environments of functions, each once.
pub(crate) fn localize(template: &mut Map<String, Value>, bindings: &[Binding]) -> Vec<String> {
    for section in ["Rules", "Metadata", "Outputs", "Hooks"] {
        template.remove(section);
    }
    let mut parameters = Vec::new();
    if let Some(Value::Object(declared)) = template.get_mut("Parameters") {
        for (name, declaration) in declared.iter_mut() {
            *declaration = bound(name, declaration, bindings);
            parameters.push(name.clone());
        }
    }
    let mut names = Vec::new();
    if let Some(Value::Object(resources)) = template.get_mut("Resources") {
        for resource in resources.values_mut().filter_map(Value::as_object_mut) {
            let kind = resource.get("Type").and_then(Value::as_str).unwrap_or_default().to_owned();
            let Some(Value::Object(properties)) = resource.get_mut("Properties") else { continue };
            for (key, value) in properties {
                let mut found = Vec::new();
                // A nested stack does not know values that are passed to it.
                if is_nested_stack(&kind) && key == "Parameters" {
                    continue;
                }
                name_references(value, &parameters, &mut found);
                if kind.ends_with("::Function") && key == "Environment" {
                    names.extend(found);
                }
            }
        }
    }
    names.dedup();
    let mut seen = Vec::new();
    names.retain(|name| {
        !seen.contains(name) && {
            seen.push(name.clone());
            true
        }
    });
    names
}

/// Returns a declaration whose Default is the value of the parameter, and which accepts any value.
fn bound(name: &str, declaration: &Value, bindings: &[Binding]) -> Value {
    let kind = declaration.get("Type").and_then(Value::as_str).unwrap_or("String");
    let given = bindings.iter().rev().find(|binding| binding.name == name).map(|binding| binding.value.clone());
    let default = || declaration.get("Default").and_then(scalar_text);
    let value = given.or_else(default).unwrap_or_else(|| name.to_owned());
    // Only an account snapshot has the values of the parameter store.
    let kind = match kind {
        stored if stored.starts_with("AWS::SSM::Parameter::Value<") => stored,
        list if list == "CommaDelimitedList" || list.starts_with("List<") => "CommaDelimitedList",
        _ => "String",
    };
    json!({"Type": kind, "Default": value})
}

/// Returns a scalar as a string, as CloudFormation and Lambda see it; `None` for lists, objects and null.
pub(crate) fn scalar_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        _ => None,
    }
}

/// `true` for the call of an intrinsic function.
fn is_call(object: &Map<String, Value>) -> bool {
    object.len() == 1 && object.keys().all(|key| key == "Ref" || key == "Condition" || key.starts_with("Fn::"))
}

fn is_known(name: &str, parameters: &[String]) -> bool {
    name.starts_with("AWS::") || parameters.iter().any(|parameter| parameter == name)
}

/// Replaces references by names, except those to parameters and pseudo parameters.
fn name_references(value: &mut Value, parameters: &[String], found: &mut Vec<String>) {
    let replaced = match value {
        Value::Object(object) if is_call(object) => match object.iter_mut().next() {
            Some((function, argument)) if function == "Ref" => {
                argument.as_str().filter(|name| !is_known(name, parameters)).map(str::to_owned)
            }
            Some((function, argument)) if function == "Fn::GetAtt" => attribute_text(argument),
            Some((function, argument)) if function == "Fn::Sub" => {
                name_in_sub(argument, parameters, found);
                None
            }
            Some((_, argument)) => {
                name_references(argument, parameters, found);
                None
            }
            None => None,
        },
        Value::Object(object) => {
            object.values_mut().for_each(|member| name_references(member, parameters, found));
            None
        }
        Value::Array(items) => {
            for item in items {
                name_references(item, parameters, found);
            }
            None
        }
        _ => None,
    };
    if let Some(name) = replaced {
        found.push(name.clone());
        *value = Value::String(name);
    }
}

/// Returns `ID.Attr` for the argument of `Fn::GetAtt`.
fn attribute_text(argument: &Value) -> Option<String> {
    match argument {
        Value::String(text) => Some(text.clone()),
        Value::Array(parts) => {
            let parts: Option<Vec<&str>> = parts.iter().map(Value::as_str).collect();
            Some(parts?.join("."))
        }
        _ => None,
    }
}

fn name_in_sub(argument: &mut Value, parameters: &[String], found: &mut Vec<String>) {
    match argument {
        Value::String(text) => *text = named_text(text, parameters, &[], found),
        Value::Array(parts) => {
            if let [Value::String(text), Value::Object(variables)] = parts.as_mut_slice() {
                let own: Vec<String> = variables.keys().cloned().collect();
                *text = named_text(text, parameters, &own, found);
                variables.values_mut().for_each(|value| name_references(value, parameters, found));
            }
        }
        _ => {}
    }
}

/// Replaces references to resources in the string of an `Fn::Sub` by names.
fn named_text(text: &str, parameters: &[String], own: &[String], found: &mut Vec<String>) -> String {
    let (mut result, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("${") {
        let Some(end) = rest[at..].find('}').map(|end| at + end) else { break };
        let inner = &rest[at + 2..end];
        let name = inner.trim();
        result += &rest[..at];
        if name.starts_with('!') || is_known(name, parameters) || own.iter().any(|own| own == name) {
            result += &rest[at..=end];
        } else {
            found.push(name.to_owned());
            result += name;
        }
        rest = &rest[end + 1..];
    }
    result + rest
}

/// Returns a residual value as a string: references that evaluation could not resolve become names.
pub(crate) fn residual_text(value: &Value) -> String {
    if let Some(text) = scalar_text(value) {
        return text;
    }
    let Some(object) = value.as_object().filter(|object| is_call(object)) else {
        return if value.is_null() { String::new() } else { value.to_string() };
    };
    let Some((function, argument)) = object.iter().next() else { return String::new() };
    let items = argument.as_array().map_or(&[][..], Vec::as_slice);
    match (function.as_str(), items) {
        ("Fn::GetAtt", _) => attribute_text(argument).unwrap_or_default(),
        ("Fn::Join", [separator, Value::Array(parts)]) => {
            let parts: Vec<String> = parts.iter().map(residual_text).collect();
            parts.join(separator.as_str().unwrap_or_default())
        }
        ("Fn::Sub", [text, variables]) => {
            let mut text = residual_text(text);
            for (name, value) in variables.as_object().into_iter().flatten() {
                text = text.replace(&format!("${{{name}}}"), &residual_text(value));
            }
            unbraced(&text)
        }
        ("Fn::Sub", _) => unbraced(&residual_text(argument)),
        ("Fn::If", [_, _, no]) => residual_text(no),
        ("Ref" | "Fn::ImportValue", _) => residual_text(argument),
        _ => value.to_string(),
    }
}

/// Replaces all references in the string of an `Fn::Sub` by names.
fn unbraced(text: &str) -> String {
    let mut found = Vec::new();
    let (mut result, mut rest) = (String::new(), text);
    while let Some(at) = rest.find("${!") {
        result += &named_text(&rest[..at], &[], &[], &mut found);
        result += "${";
        rest = &rest[at + 3..];
    }
    result + &named_text(rest, &[], &[], &mut found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn localized(mut template: Value, bindings: &[Binding]) -> (Value, Vec<String>) {
        let names = localize(template.as_object_mut().expect("an object"), bindings);
        (template, names)
    }

    #[test]
    fn references_to_resources_are_their_names() {
        let environment = json!({"Variables": {
            "A": {"Ref": "Table"}, "B": {"Fn::GetAtt": ["Table", "Arn"]}, "C": {"Fn::GetAtt": "Table.Stream"},
            "D": {"Fn::Sub": "${Table}-${Stage}-${!Lit}-${AWS::Region}"},
            "E": {"Fn::Sub": ["${X}${Table.Arn}", {"X": {"Ref": "Queue"}}]},
            "F": {"Fn::Join": ["/", [{"Ref": "Stage"}, {"Ref": "Table"}]]},
        }});
        let template = json!({
            "Parameters": {"Stage": {"Type": "String", "AllowedPattern": "x", "NoEcho": true}},
            "Outputs": {"O": {}},
            "Resources": {"F": {"Type": "AWS::Lambda::Function", "Properties": {"Environment": environment}}},
        });
        let bindings = [Binding { name: "Stage".into(), value: "dev".into() }];
        let (template, names) = localized(template, &bindings);
        assert_eq!(template["Parameters"]["Stage"], json!({"Type": "String", "Default": "dev"}));
        assert!(template.get("Outputs").is_none());
        let want = json!({
            "A": "Table", "B": "Table.Arn", "C": "Table.Stream",
            "D": {"Fn::Sub": "Table-${Stage}-${!Lit}-${AWS::Region}"},
            "E": {"Fn::Sub": ["${X}Table.Arn", {"X": "Queue"}]},
            "F": {"Fn::Join": ["/", [{"Ref": "Stage"}, "Table"]]},
        });
        assert_eq!(template["Resources"]["F"]["Properties"]["Environment"]["Variables"], want);
        assert_eq!(names, ["Table", "Table.Arn", "Table.Stream", "Queue"]);
    }

    #[test]
    fn a_parameter_without_value_has_its_name() {
        let template = json!({"Parameters": {
            "A": {"Type": "Number"}, "B": {"Type": "List<Number>", "Default": "1,2"}, "C": {"Type": "Number", "Default": 7},
        }});
        let (template, _) = localized(template, &[]);
        let want = json!({
            "A": {"Type": "String", "Default": "A"},
            "B": {"Type": "CommaDelimitedList", "Default": "1,2"},
            "C": {"Type": "String", "Default": "7"},
        });
        assert_eq!(template["Parameters"], want);
    }

    #[test]
    fn what_is_left_has_a_text() {
        assert_eq!(residual_text(&json!({"Fn::ImportValue": "shared-vpc"})), "shared-vpc");
        assert_eq!(residual_text(&json!({"Fn::Sub": "a${!b}-${C}"})), "a${b}-C");
        assert_eq!(residual_text(&json!({"Fn::Join": ["-", ["a", {"Ref": "B"}]]})), "a-B");
        assert_eq!(residual_text(&json!({"Fn::If": ["C", "a", "b"]})), "b");
        assert_eq!((residual_text(&json!(3)), residual_text(&json!(true))), ("3".into(), "true".into()));
    }
}
