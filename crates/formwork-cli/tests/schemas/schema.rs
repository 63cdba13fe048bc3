//! The schemas of `docs/schemas`.

use serde_json::Value;

use super::blocks::repository;
use crate::support::json_schema;

/// A schema, in which objects have no other keys than those that it names.
pub(crate) struct Schema(Value);

/// The names of all schemas.
pub(crate) fn names() -> Vec<String> {
    let entries = std::fs::read_dir(repository().join("docs/schemas")).expect("the schemas").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

impl Schema {
    pub(crate) fn read(name: &str) -> Schema {
        let text = std::fs::read_to_string(repository().join("docs/schemas").join(name)).expect("a schema");
        let mut schema: Value = serde_json::from_str(&text).expect("JSON");
        close(&mut schema);
        Schema(schema)
    }

    pub(crate) fn is_valid(&self, value: &Value) -> bool {
        json_schema::errors(&self.0, value).is_empty()
    }

    /// Fails with the errors of a document.
    pub(crate) fn hold(&self, value: &Value, about: &str) {
        let wrong = json_schema::errors(&self.0, value);
        assert!(wrong.is_empty(), "{about}: {}\n{value:#}", wrong.join("\n"));
    }
}

/// Forbids keys that an object's schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object.contains_key("properties") && object.get("type").is_some_and(|kind| kind == "object") {
                object.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            object.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}
