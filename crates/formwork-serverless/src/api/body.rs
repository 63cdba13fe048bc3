//! The body of an API: paths of events, and what the properties of the API add.

use super::{auth, cors, extensions};
use crate::context::{Context, Input};
use crate::hash::Data;
use crate::make;
use crate::openapi::security::NO_KEY;
use crate::openapi::{self, hashed};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Returns the body and the data that the deployment is hashed of, and adds the permissions of authorizers.
pub(super) fn translate(
    cx: &Context,
    input: &Input,
    authored: &Value,
    permissions: &mut Vec<Resource>,
) -> Result<(Value, Data), Refusal> {
    let mut body = authored.clone();
    let is_valid = is_document(&body);
    for (name, what) in NEED_DOCUMENT {
        if let Some(value) = input.get(name).filter(|_| !is_valid) {
            let refusal = match what {
                Some(what) => Refusal::new(format!(
                    "Unable to add {what} because 'DefinitionBody' does not contain a valid Swagger definition."
                )),
                None => Refusal::of_template(
                    "Invalid Swagger document or the Swagger document is not explicitly defined in 'DefinitionBody'.",
                ),
            };
            return Err(refusal.at(value.origin()));
        }
    }
    if !is_valid {
        let hashed = hashed::data(&body);
        return Ok((body, hashed));
    }
    let map = body.as_map();
    let mut is_changed = input.properties.get(openapi::MANAGED).is_some_and(Value::is_true);
    if extensions::is_open_api(map) || NEED_DOCUMENT.iter().any(|(name, _)| input.get(name).is_some()) {
        check_paths(map)?;
    }
    let is_set = |name: &str| match name {
        "DisableExecuteApiEndpoint" => input.properties.get(name).is_some_and(|value| !value.is_null()),
        _ => input.get(name).is_some(),
    };
    for (name, _) in NEED_DOCUMENT.into_iter().filter(|(name, _)| is_set(name)) {
        is_changed = true;
        openapi::edit(map, |map| match name {
            "Cors" => cors::add(input, map),
            "Auth" => auth::add(cx, input, map, permissions),
            _ => extensions::add(name, input, map),
        })?;
        if name == "Auth" || name == "Models" {
            convert(input, map);
        }
    }
    if is_changed || input.get("OpenApiVersion").is_some() || extensions::is_open_api(map) {
        drop_marks(map);
        convert(input, map);
    }
    let hashed = hashed::data(&body);
    let body = if body == *authored { authored.clone() } else { body.at(authored.origin()) };
    Ok((body, hashed))
}

fn check_paths(body: &Map) -> Result<(), Refusal> {
    let Some(paths) = body.get("paths").and_then(Value::map) else { return Ok(()) };
    for path in openapi::ordered_at(paths, openapi::copies(body)) {
        if let Some(wrong) = paths.get(path).filter(|item| item.map().is_none()) {
            let sentence = format!("Value of '{path}' path must be a dictionary according to Swagger spec.");
            return Err(Refusal::alone(sentence).at(wrong.origin()));
        }
    }
    Ok(())
}

/// Properties that need a document, and their names in the sentences that have one.
const NEED_DOCUMENT: [(&str, Option<&str>); 6] = [
    ("Cors", Some("Cors configuration")),
    ("Auth", Some("Auth configuration")),
    ("GatewayResponses", Some("Auth configuration")),
    ("BinaryMediaTypes", None),
    ("Models", Some("Models definitions")),
    ("DisableExecuteApiEndpoint", None),
];

/// Returns `true` for a document with paths.
pub(super) fn is_document(body: &Value) -> bool {
    let Some(map) = body.map() else { return false };
    let is_version = map.get_true("swagger").is_some() || extensions::is_open_api(map);
    map.get("paths").is_some_and(|paths| paths.map().is_some()) && is_version
}

/// Removes the marks of methods without an API key.
fn drop_marks(body: &mut Map) {
    let Some(paths) = body.get_mut("paths").and_then(Value::map_mut) else { return };
    for (_, path) in paths.iter_mut() {
        for path in openapi::contents_mut(path) {
            for (_, method) in path.iter_mut() {
                for operation in openapi::contents_mut(method) {
                    let Some(security) = operation.get_mut("security").and_then(Value::list_mut) else { continue };
                    if security.iter().any(|one| one.get(NO_KEY).is_some()) {
                        security.retain(|one| one.get(NO_KEY).is_none() && one.get("NONE").is_none());
                    }
                }
            }
        }
    }
}

/// Moves definitions to the places of `OpenAPI` 3 where the API is of it.
fn convert(input: &Input, body: &mut Map) {
    let is_old = input.get("OpenApiVersion").is_some_and(|version| !extensions::is_third(version));
    if !extensions::is_open_api(body) || is_old {
        return;
    }
    for (old, new) in [("securityDefinitions", "securitySchemes"), ("definitions", "schemas")] {
        if let Some(definitions) = body.get(old).cloned() {
            body.entry("components", Map::new()).as_map().set(new, definitions);
            body.remove(old);
        }
    }
    if let Some(paths) = body.get_mut("paths").and_then(Value::map_mut) {
        for (_, path) in paths.iter_mut() {
            // A path under a condition stays.
            let options = path.map_mut().and_then(|path| path.get_mut("options")).and_then(Value::map_mut);
            let Some(options) = options else { continue };
            options.remove("consumes");
            options.remove("produces");
            wrap_headers(options);
        }
    }
    let copies = openapi::copies(body);
    body.stamp(copies);
}

fn wrap_headers(options: &mut Map) {
    let headers = options.get_mut("responses").and_then(Value::map_mut).and_then(|all| all.get_mut("200"));
    let headers = headers.and_then(Value::map_mut).and_then(|one| one.get_mut("headers")).and_then(Value::map_mut);
    for (_, header) in headers.into_iter().flat_map(Map::iter_mut) {
        let old = std::mem::take(header);
        *header = make::map([("schema", old)]);
    }
}
