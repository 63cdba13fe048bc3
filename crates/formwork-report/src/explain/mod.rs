//! Answers to `formwork explain`: for people and as JSON (reference/provenance.md#explain).

pub mod human;
pub mod json;
mod yaml;

use formwork_syntax::Value;

fn to_json(value: &Value) -> serde_json::Value {
    match value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(truth) => (*truth).into(),
        Value::Number(text) => {
            let number: Option<serde_json::Number> = serde_json::from_str(text).ok();
            number.map_or_else(|| text.as_str().into(), serde_json::Value::Number)
        }
        Value::String(text) => text.as_str().into(),
        Value::List(items) => items.iter().map(to_json).collect(),
        Value::Map(members) => {
            serde_json::Value::Object(members.iter().map(|(key, value)| (key.clone(), to_json(value))).collect())
        }
    }
}
