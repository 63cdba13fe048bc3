//! The body of an API: paths of events, and what the properties of the API add.

use super::{auth, cors, extensions};
use crate::context::{Context, Input};
use crate::make;
use crate::openapi;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Returns the body, and adds the permissions of authorizers.
pub(super) fn translate(
    cx: &Context,
    input: &Input,
    authored: &Value,
    permissions: &mut Vec<Resource>,
) -> Result<Value, Refusal> {
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
        return Ok(body);
    }
    let changes = NEED_DOCUMENT.iter().any(|(name, _)| input.properties.has(name)) || is_marked(input, &body);
    let is_converted = input.get("OpenApiVersion").is_some() || body.map().is_some_and(extensions::is_open_api);
    if !changes && !is_converted {
        return Ok(body);
    }
    let map = body.as_map();
    cors::add(input, map)?;
    auth::add(cx, input, map, permissions)?;
    extensions::add(input, map)?;
    drop_marks(map);
    post_process(input, map);
    if body == *authored {
        return Ok(authored.clone());
    }
    Ok(body.at(authored.origin()))
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

fn is_marked(input: &Input, _body: &Value) -> bool {
    input.properties.get(openapi::MANAGED).is_some_and(Value::is_true)
}

/// Returns `true` for a document with paths.
pub(super) fn is_document(body: &Value) -> bool {
    let Some(map) = body.map() else { return false };
    let is_version = |name: &str| map.get(name).is_some_and(Value::is_true);
    map.get("paths").is_some_and(|paths| paths.map().is_some()) && (is_version("swagger") || is_version("openapi"))
}

/// Removes the marks of methods without an API key.
fn drop_marks(body: &mut Map) {
    let Some(paths) = body.get_mut("paths").and_then(Value::map_mut) else { return };
    for (_, path) in paths.iter_mut() {
        for path in openapi::contents_mut(path) {
            for (_, method) in path.iter_mut() {
                for operation in openapi::contents_mut(method) {
                    let Some(security) = operation.get_mut("security").and_then(Value::list_mut) else { continue };
                    if security.iter().any(|one| one.get(auth::NO_KEY).is_some()) {
                        security.retain(|one| one.get(auth::NO_KEY).is_none() && one.get("NONE").is_none());
                    }
                }
            }
        }
    }
}

/// Moves definitions to the places of `OpenAPI` 3 where the API is of it.
fn post_process(input: &Input, body: &mut Map) {
    let version = input.get("OpenApiVersion");
    let version = version.filter(|version| version.text().is_some_and(|version| version.starts_with('3')));
    if let (Some(version), Some(_)) = (version, body.get_true("swagger")) {
        body.remove("swagger");
        body.set("openapi", version.clone());
    }
    let is_old = version.is_none() && input.get("OpenApiVersion").is_some();
    if !extensions::is_open_api(body) || is_old {
        return;
    }
    for (old, new) in [("securityDefinitions", "securitySchemes"), ("definitions", "schemas")] {
        if let Some(definitions) = body.remove(old) {
            body.entry("components", Map::new()).as_map().set(new, definitions);
        }
    }
    // The translator converts the document behind each of these steps, and once at the end.
    let steps = ["Auth", "Models"].into_iter().filter(|name| input.get(name).is_some()).count() + 1;
    let Some(paths) = body.get_mut("paths").and_then(Value::map_mut) else { return };
    for (_, path) in paths.iter_mut() {
        for path in openapi::contents_mut(path) {
            let Some(options) = path.get_mut("options").and_then(Value::map_mut) else { continue };
            options.remove("consumes");
            options.remove("produces");
            for _ in 0..steps {
                wrap_headers(options);
            }
        }
    }
}

fn wrap_headers(options: &mut Map) {
    let headers = options.get_mut("responses").and_then(Value::map_mut).and_then(|all| all.get_mut("200"));
    let headers = headers.and_then(Value::map_mut).and_then(|one| one.get_mut("headers")).and_then(Value::map_mut);
    for (_, header) in headers.into_iter().flat_map(Map::iter_mut) {
        let old = std::mem::take(header);
        *header = make::map([("schema", old)]);
    }
}
