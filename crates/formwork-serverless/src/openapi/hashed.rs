//! The body of an API as the data that its deployment is hashed of.
//!
//! Strings with an authored node are those of the template; the others are printed as strings that the transform adds.
//! The order of keys is that of dictionaries that every step of the translator copies twice: when it begins to edit the
//! body, and when it ends.

use crate::hash::{Data, Dict, Text};
use crate::value::{self, Map, Value};

use super::INTEGRATION;

/// A step of the translator that edits the body.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Step {
    Events,
    /// Requirements, models and parameters of events.
    Requests,
    Cors,
    Auth,
    Responses,
    MediaTypes,
    Models,
    Endpoint,
    /// The end, which only converts.
    End,
}

impl Step {
    /// Returns `true` for a step behind which the document is made one of `OpenAPI` 3.
    fn converts(self) -> bool {
        matches!(self, Step::Auth | Step::Models | Step::End)
    }

    /// Returns the step that adds a key of the document.
    fn of_key(key: &str) -> Step {
        match key {
            "x-amazon-apigateway-gateway-responses" => Step::Responses,
            "x-amazon-apigateway-binary-media-types" => Step::MediaTypes,
            "definitions" => Step::Models,
            "x-amazon-apigateway-endpoint-configuration" | "servers" => Step::Endpoint,
            "x-amazon-apigateway-request-validators" => Step::Requests,
            "securityDefinitions" | "x-amazon-apigateway-policy" => Step::Auth,
            _ => Step::Events,
        }
    }
}

/// The steps of an API.
#[derive(Clone, Debug)]
pub(crate) struct Steps {
    pub(crate) all: Vec<Step>,
    /// Set for a document that is made one of `OpenAPI` 3.
    pub(crate) is_converted: bool,
    /// Set if events have requirements.
    pub(crate) has_event_security: bool,
}

/// The place of a mapping.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Root,
    Paths,
    Path,
    Method,
    Other,
}

/// Keys of a method that come from the requests of an event.
const REQUESTS: [&str; 3] = ["parameters", "requestBody", "x-amazon-apigateway-request-validator"];

/// Definitions of `OpenAPI` 3 with their keys before, and the step that adds them.
const MOVED: [(&str, &str, Step); 2] =
    [("securitySchemes", "securityDefinitions", Step::Auth), ("schemas", "definitions", Step::Models)];

/// Keys that a method has until the document becomes one of `OpenAPI` 3.
const REMOVED: [&str; 2] = ["consumes", "produces"];

/// Returns the data of a body.
pub(crate) fn data(value: &Value, steps: &Steps) -> Data {
    steps.value(value, Place::Root, Step::Events)
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

/// A key with the step that adds it.
struct Entry {
    step: Step,
    key: Text,
    value: Data,
    change: Change,
}

/// The part of a step in which a key is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Change {
    Set,
    /// Set, and removed by the next conversion.
    SetForNow,
    /// Set by the conversion of the step.
    Converted,
}

impl Steps {
    fn value(&self, value: &Value, place: Place, born: Step) -> Data {
        match value.data() {
            value::Data::Text(text) => {
                Data::Text(Text { value: text.to_string(), is_unicode: value.origin().is_some() })
            }
            value::Data::List(items) => Data::List(items.iter().map(|item| self.value(item, place, born)).collect()),
            value::Data::Map(map) if is_in_order(map) => {
                let entry = |(name, value)| (plain(name), self.value(value, Place::Other, born));
                Data::Ordered(map.iter().map(entry).collect())
            }
            value::Data::Map(map) => Data::Map(self.dict(map, place, born)),
            _ => value.into(),
        }
    }

    fn dict(&self, map: &Map, place: Place, born: Step) -> Dict {
        let is_answer = place == Place::Method && map.get("summary").and_then(Value::text) == Some("CORS support");
        let mut entries = Vec::new();
        let removed = |step, name: &str, entries: &mut Vec<Entry>| {
            entries.push(Entry { step, key: plain(name), value: Data::Null, change: Change::SetForNow });
        };
        for (name, key, value) in map.members() {
            let step = self.step(name, place, born, value);
            if is_answer && self.is_converted && name == INTEGRATION {
                for name in REMOVED {
                    removed(step, name, &mut entries);
                }
            }
            let mut change = Change::Set;
            if place == Place::Root && name == "components" && self.is_converted {
                change = Change::Converted;
                for (new, old, step) in MOVED {
                    if value.get(new).is_some() {
                        removed(self.known(step), old, &mut entries);
                    }
                }
            }
            let below = match (place, name) {
                (Place::Root, "paths") => Place::Paths,
                (Place::Paths, _) => Place::Path,
                (Place::Path, "Fn::If") => Place::Path,
                (Place::Path, _) => Place::Method,
                (Place::Method, "Fn::If") => Place::Method,
                _ => Place::Other,
            };
            let value = self.value(value, below, step);
            entries.push(Entry {
                step,
                key: Text { value: name.to_owned(), is_unicode: key.is_some() },
                value,
                change,
            });
        }
        self.simulate(entries)
    }

    /// Returns the step that adds a key.
    fn step(&self, name: &str, place: Place, born: Step, value: &Value) -> Step {
        let step = match place {
            Place::Root if name == "components" => {
                if value.get("securitySchemes").is_some() {
                    Step::Auth
                } else {
                    Step::Models
                }
            }
            Place::Root => Step::of_key(name),
            Place::Path if name == "options" && is_answer(value) => Step::Cors,
            Place::Method if REQUESTS.contains(&name) => Step::Requests,
            Place::Method if name == "security" && born == Step::Events && self.has_event_security => Step::Requests,
            Place::Other if name == "cacheKeyParameters" => Step::Requests,
            Place::Method if name == "security" && (born == Step::Cors || !self.has_event_security) => Step::Auth,
            _ => born,
        };
        self.known(step)
    }

    fn known(&self, step: Step) -> Step {
        if self.all.contains(&step) { step } else { Step::Events }
    }

    /// Returns the dictionary behind all steps.
    fn simulate(&self, mut entries: Vec<Entry>) -> Dict {
        let mut dict = Dict::default();
        let mut removed: Vec<Text> = Vec::new();
        for &step in self.all.iter().chain(&[Step::End]) {
            if step != Step::End {
                dict = copied(&dict);
            }
            let is_now = |entry: &Entry| entry.step == step && entry.change != Change::Converted;
            let (now, later): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(is_now);
            entries = later;
            for entry in now {
                if entry.change == Change::SetForNow {
                    removed.push(entry.key.clone());
                }
                dict.insert(entry.key, entry.value);
            }
            if step != Step::End {
                dict = copied(&dict);
            }
            if !step.converts() {
                continue;
            }
            removed.drain(..).for_each(|key| drop(dict.remove(&key.value)));
            let is_now = |entry: &Entry| entry.change == Change::Converted && entry.step <= step;
            let (now, later): (Vec<Entry>, Vec<Entry>) = entries.into_iter().partition(is_now);
            entries = later;
            for entry in now {
                dict.insert(entry.key, entry.value);
            }
        }
        dict
    }
}

fn is_answer(options: &Value) -> bool {
    options.get("summary").and_then(Value::text) == Some("CORS support")
}

/// Returns a dictionary with the entries in the order of another one.
fn copied(dict: &Dict) -> Dict {
    let mut new = Dict::default();
    for (key, value) in dict.iter() {
        new.insert(key.clone(), value.clone());
    }
    new
}

/// Returns `true` for definitions whose keys the translator keeps in their order: API keys, and signed requests that an
/// event needs.
fn is_in_order(map: &Map) -> bool {
    let is_made = map.members().all(|(_, key, _)| key.is_none());
    let keys: Vec<&str> = map.keys().collect();
    is_made && (keys == ["type", "name", "in"] || keys == ["x-amazon-apigateway-authtype", "type", "name", "in"])
}
