//! Merges `Globals` of a serverless template into the resources that they apply to (reference/local.md#globals).

use serde_json::{Map, Value, json};

/// The sections of `Globals`, and the resource types that each applies to.
const SECTIONS: [(&str, &str); 6] = [
    ("Function", "AWS::Serverless::Function"),
    ("Api", "AWS::Serverless::Api"),
    ("HttpApi", "AWS::Serverless::HttpApi"),
    ("SimpleTable", "AWS::Serverless::SimpleTable"),
    ("StateMachine", "AWS::Serverless::StateMachine"),
    ("LayerVersion", "AWS::Serverless::LayerVersion"),
];

/// Moves `Globals` into the properties of their resources: objects are merged, lists are joined with the global
/// elements first, and for any other value that of the resource takes precedence.
pub(crate) fn apply(template: &mut Map<String, Value>) {
    let globals = match template.remove("Globals") {
        Some(Value::Object(globals)) => globals,
        _ => Map::new(),
    };
    let Some(Value::Object(resources)) = template.get_mut("Resources") else { return };
    add_implicit_apis(resources);
    for resource in resources.values_mut().filter_map(Value::as_object_mut) {
        let kind = resource.get("Type").and_then(Value::as_str);
        let Some(section) = SECTIONS.iter().find(|(_, of)| Some(*of) == kind) else { continue };
        let Some(global) = globals.get(section.0).filter(|global| global.is_object()) else { continue };
        let own = resource.remove("Properties").unwrap_or_else(|| Value::Object(Map::new()));
        resource.insert("Properties".to_owned(), merged(global, own));
    }
}

/// The APIs that SAM generates for events without an API: kind of event, property with the API, logical ID, type,
/// stage.
const IMPLICIT: [(&str, &str, &str, &str, &str); 2] = [
    ("Api", "RestApiId", "ServerlessRestApi", "AWS::Serverless::Api", "Prod"),
    ("HttpApi", "ApiId", "ServerlessHttpApi", "AWS::Serverless::HttpApi", "$default"),
];

/// The types of resources that an API calls for an event.
pub(crate) const CALLED: [&str; 2] = ["AWS::Serverless::Function", "AWS::Serverless::StateMachine"];

fn add_implicit_apis(resources: &mut Map<String, Value>) {
    let called = resources.values().filter(|resource| CALLED.iter().any(|kind| resource["Type"] == *kind));
    let events = called.filter_map(|resource| resource.get("Properties")?.get("Events")?.as_object());
    let events: Vec<Value> = events.flat_map(|events| events.values().cloned()).collect();
    for (kind, named, id, of, stage) in IMPLICIT {
        let is_implicit = |event: &Value| {
            let name = event.get("Properties").and_then(|properties| properties.get(named));
            event["Type"] == kind && name.is_none_or(|name| *name == json!({"Ref": id}))
        };
        if events.iter().any(is_implicit) && !resources.contains_key(id) {
            resources.insert(id.to_owned(), json!({"Type": of, "Properties": {"StageName": stage}}));
        }
    }
}

fn merged(global: &Value, own: Value) -> Value {
    match (global, own) {
        (Value::Object(global), Value::Object(own)) if !is_call(global) && !is_call(&own) => {
            let mut result = global.clone();
            for (key, value) in own {
                let value = match global.get(&key) {
                    Some(global) => merged(global, value),
                    None => value,
                };
                result.insert(key, value);
            }
            Value::Object(result)
        }
        (Value::Array(global), Value::Array(own)) => Value::Array(global.iter().cloned().chain(own).collect()),
        (_, own) => own,
    }
}

/// `true` for the call of an intrinsic function.
pub(crate) fn is_call(object: &Map<String, Value>) -> bool {
    object.len() == 1 && object.keys().all(|key| key == "Ref" || key == "Condition" || key.starts_with("Fn::"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_merge_lists_join_and_scalars_of_the_resource_win() {
        let mut template = json!({
            "Globals": {"Function": {
                "Timeout": 5, "Runtime": "python3.11", "Layers": ["a"],
                "Environment": {"Variables": {"A": "1", "B": {"Ref": "X"}}},
            }},
            "Resources": {
                "F": {"Type": "AWS::Serverless::Function", "Properties": {
                    "Timeout": 9, "Layers": ["b"], "Environment": {"Variables": {"B": {"Ref": "Y"}, "C": "3"}},
                }},
                "Bare": {"Type": "AWS::Serverless::Function"},
                "Other": {"Type": "AWS::Lambda::Function", "Properties": {}},
            },
        });
        apply(template.as_object_mut().expect("an object"));
        let function = &template["Resources"]["F"]["Properties"];
        assert_eq!(function["Timeout"], 9);
        assert_eq!(function["Runtime"], "python3.11");
        assert_eq!(function["Layers"], json!(["a", "b"]));
        assert_eq!(function["Environment"]["Variables"], json!({"A": "1", "B": {"Ref": "Y"}, "C": "3"}));
        assert_eq!(template["Resources"]["Bare"]["Properties"]["Timeout"], 5);
        assert_eq!(template["Resources"]["Other"]["Properties"], json!({}));
        assert!(template.get("Globals").is_none());
    }
}
