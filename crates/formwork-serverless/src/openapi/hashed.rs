//! The body of an API as the data that its deployment is hashed of.
//!
//! Strings with an authored node are those of the template; the others are printed as strings that the transform adds.

use crate::hash::{Data, Dict, Text};
use crate::value::{self, Map, Value};

/// Keys that a method has until the document becomes one of `OpenAPI` 3, which the order of the others depends on.
const REMOVED: [&str; 2] = ["produces", "consumes"];

/// Returns the data of a body.
pub(crate) fn data(value: &Value) -> Data {
    below(value, false)
}

/// Returns the data of a body that was of `OpenAPI` 2 before.
pub(crate) fn converted(value: &Value) -> Data {
    below(value, true)
}

fn below(value: &Value, is_converted: bool) -> Data {
    let data = |value: &Value| below(value, is_converted);
    match value.data() {
        value::Data::Text(text) => Data::Text(Text { value: text.to_string(), is_unicode: value.origin().is_some() }),
        value::Data::List(items) => Data::List(items.iter().map(data).collect()),
        value::Data::Map(map) if is_in_order(map) => {
            Data::Ordered(map.iter().map(|(name, value)| (plain(name), data(value))).collect())
        }
        value::Data::Map(map) => {
            let mut dict = Dict::default();
            let is_answer = is_converted && map.get("summary").and_then(Value::text) == Some("CORS support");
            for (name, key, value) in map.members() {
                if is_answer && name == "summary" {
                    REMOVED.iter().for_each(|name| dict.insert(plain(name), Data::Null));
                }
                dict.insert(Text { value: name.to_owned(), is_unicode: key.is_some() }, data(value));
            }
            if is_answer {
                REMOVED.iter().for_each(|name| drop(dict.remove(name)));
            }
            Data::Map(dict)
        }
        _ => value.into(),
    }
}

/// Returns the data of the location of a body.
pub(crate) fn location(value: &Value) -> Data {
    let mut dict = Dict::default();
    for (name, value) in value.map().into_iter().flat_map(Map::iter) {
        let data = value.text().map_or_else(|| value.into(), Data::unicode);
        dict.insert(plain(name), data);
    }
    Data::Map(dict)
}

fn plain(name: &str) -> Text {
    Text { value: name.to_owned(), is_unicode: false }
}

/// Returns `true` for definitions whose keys the translator keeps in their order: API keys, and signed requests that an
/// event needs.
fn is_in_order(map: &Map) -> bool {
    let is_made = map.members().all(|(_, key, _)| key.is_none());
    let keys: Vec<&str> = map.keys().collect();
    is_made && (keys == ["type", "name", "in"] || keys == ["x-amazon-apigateway-authtype", "type", "name", "in"])
}
