//! JSON Schema, as far as the schemas of `docs/schemas` use it. A keyword that is not read here is an error, so that no
//! schema is thought to hold that was not looked at.

use serde_json::Value;

/// Keywords without an effect on documents.
const WORDS: [&str; 6] = ["$schema", "$id", "$comment", "$defs", "title", "description"];

/// Returns the errors of a value, each with its path; empty if it is valid.
pub(crate) fn errors(schema: &Value, value: &Value) -> Vec<String> {
    let mut errors = Vec::new();
    visit(&Place { root: schema, path: String::new() }, schema, value, &mut errors);
    errors
}

struct Place<'s> {
    root: &'s Value,
    path: String,
}

impl<'s> Place<'s> {
    fn below(&self, step: impl std::fmt::Display) -> Place<'s> {
        Place { root: self.root, path: format!("{}/{step}", self.path) }
    }
}

fn visit(place: &Place<'_>, schema: &Value, value: &Value, errors: &mut Vec<String>) {
    let keywords = match schema {
        Value::Bool(true) => return,
        Value::Bool(false) => return errors.push(format!("{}: nothing is allowed here", place.path)),
        schema => schema.as_object().expect("a schema is an object"),
    };
    for (keyword, of) in keywords {
        let mut wrong = |why: String| errors.push(format!("{}: {why}", place.path));
        match keyword.as_str() {
            "type" if !types(of).any(|name| is_of(name, value)) => wrong(format!("{value} is not of type {of}")),
            "const" if of != value => wrong(format!("{value} is not {of}")),
            "enum" if !of.as_array().expect("a list").contains(value) => wrong(format!("{value} is not one of {of}")),
            "type" | "const" | "enum" => {}
            "$ref" => {
                let name = of.as_str().and_then(|of| of.strip_prefix("#/$defs/")).expect("a definition");
                visit(place, place.root["$defs"].get(name).expect("a definition"), value, errors);
            }
            "anyOf" => any_of(place, of, value, errors),
            "required" => {
                let names = of.as_array().expect("a list").iter().filter_map(Value::as_str);
                let missing = names.filter(|name| value.is_object() && value.get(name).is_none());
                missing.for_each(|name| wrong(format!("{name} is missing")));
            }
            "properties" => {
                for (name, of) in of.as_object().expect("an object") {
                    value.get(name).into_iter().for_each(|value| visit(&place.below(name), of, value, errors));
                }
            }
            "additionalProperties" => {
                let others = value.as_object().into_iter().flatten();
                let is_other = |name: &str| schema["properties"].get(name).is_none();
                for (name, value) in others.filter(|(name, _)| is_other(name)) {
                    visit(&place.below(name), of, value, errors);
                }
            }
            "prefixItems" => {
                let pairs = of.as_array().expect("a list").iter().zip(value.as_array().into_iter().flatten());
                pairs.enumerate().for_each(|(at, (of, value))| visit(&place.below(at), of, value, errors));
            }
            "items" => {
                let first = schema["prefixItems"].as_array().map_or(0, Vec::len);
                let items = value.as_array().into_iter().flatten().enumerate().skip(first);
                items.for_each(|(at, value)| visit(&place.below(at), of, value, errors));
            }
            "minItems" => {
                let least = of.as_u64().expect("a number");
                if value.as_array().is_some_and(|items| (items.len() as u64) < least) {
                    wrong(format!("fewer than {least} items"));
                }
            }
            word => assert!(WORDS.contains(&word), "the keyword {word} is not read by this test"),
        }
    }
}

/// One of them has to hold. If none does, those of the nearest are reported.
fn any_of(place: &Place<'_>, schemas: &Value, value: &Value, errors: &mut Vec<String>) {
    let mut nearest: Option<Vec<String>> = None;
    for schema in schemas.as_array().expect("a list") {
        let mut own = Vec::new();
        visit(place, schema, value, &mut own);
        if own.is_empty() {
            return;
        }
        if nearest.as_ref().is_none_or(|nearest| own.len() < nearest.len()) {
            nearest = Some(own);
        }
    }
    errors.extend(nearest.unwrap_or_else(|| vec![format!("{}: nothing is allowed here", place.path)]));
}

fn types(of: &Value) -> impl Iterator<Item = &str> {
    let list = of.as_array().map_or(std::slice::from_ref(of), Vec::as_slice);
    list.iter().map(|name| name.as_str().expect("the name of a type"))
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => panic!("{name} is not a type"),
    }
}
