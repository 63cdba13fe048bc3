//! The body of an API of the second version.

use super::{CREATOR, auth, refuse};
use crate::context::{Context, Input};
use crate::make;
use crate::openapi;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// Returns `true` for a document with paths.
pub(super) fn is_document(body: &Value) -> bool {
    let is_map = body.get("paths").is_some_and(|paths| paths.map().is_some());
    is_map && body.get("openapi").and_then(Value::text_form).is_some_and(|version| version.starts_with('3'))
}

/// Returns the body, and adds the permissions of authorizers.
pub(super) fn translate(
    cx: &Context,
    input: &Input,
    authored: &Value,
    permissions: &mut Vec<Resource>,
) -> Result<Value, Refusal> {
    if !is_document(authored) {
        for (name, what) in [("CorsConfiguration", "Cors"), ("Auth", "Auth"), ("Tags", "Tags")] {
            if let Some(value) = input.get(name) {
                let sentence = format!(
                    "Unable to add {what} configuration because 'DefinitionBody' does not contain a valid OpenApi definition."
                );
                return Err(refuse(sentence, value.origin()));
            }
        }
        return Ok(authored.clone());
    }
    let mut body = authored.clone();
    let map = body.as_map();
    add_cors(cx, input, map)?;
    if input.get("FailOnWarnings").is_some() {
        rename_default(map);
    }
    auth::add(cx, input, map, permissions)?;
    add_tags(cx, input, map);
    add_info(input, map)?;
    add_endpoint(input, map);
    Ok(body.at(authored.origin()))
}

/// Keys of a `CorsConfiguration`, with their names in the document.
const CORS: [(&str, &str); 6] = [
    ("AllowMethods", "allowMethods"),
    ("AllowHeaders", "allowHeaders"),
    ("AllowOrigins", "allowOrigins"),
    ("MaxAge", "maxAge"),
    ("ExposeHeaders", "exposeHeaders"),
    ("AllowCredentials", "allowCredentials"),
];

fn add_cors(cx: &Context, input: &Input, body: &mut Map) -> Result<(), Refusal> {
    let Some(authored) = input.get("CorsConfiguration") else { return Ok(()) };
    let resolved = cx.parameters.resolve(authored)?;
    let mut cors = Map::new();
    match resolved.map() {
        Some(own) => {
            if let Some(unknown) = own.keys().find(|key| !CORS.iter().any(|(name, _)| name == key)) {
                let sentence = format!("Invalid key '{unknown}' for 'Cors' property.");
                let names = CORS.iter().map(|(name, _)| *name);
                return Err(refuse(sentence, own.key(unknown)).about(unknown).among(names));
            }
            for (name, new) in CORS {
                let is_set = |value: &&Value| value.is_true() || (name == "MaxAge" && !value.is_null());
                cors.set_some(new, own.get(name).filter(is_set).cloned());
            }
        }
        None if resolved.truth() == Some(true) => cors.set("allowOrigins", make::list(["*"])),
        None => return Err(refuse("Invalid value for 'Cors' property.", authored.origin())),
    }
    body.set("x-amazon-apigateway-cors", Value::from(cors).at(authored.origin()));
    Ok(())
}

/// Renames the default route, as the translator does for an API that fails on warnings.
fn rename_default(body: &mut Map) {
    if let Some(paths) = body.get_mut("paths").and_then(Value::map_mut)
        && let Some(default) = paths.remove("$default")
    {
        paths.set("/$default", default);
    }
}

fn add_tags(cx: &Context, input: &Input, body: &mut Map) {
    let mut own = input.get("Tags").and_then(Value::map).cloned().unwrap_or_default();
    own.set(CREATOR, "SAM");
    if cx.resources.history().is_some_and(|history| !history.is_plain) {
        own.reorder(&openapi::ordered(&own));
    }
    let all = body.entry("tags", Vec::new()).as_list();
    for (name, value) in own.iter() {
        const VALUE: &str = "x-amazon-apigateway-tag-value";
        let is_it = |tag: &&mut Value| tag.get("name").and_then(Value::text) == Some(name);
        match all.iter_mut().find(is_it) {
            Some(tag) => tag.as_map().set(VALUE, value.clone()),
            None => all.push(make::map([("name", Value::from(name).at(own.key(name))), (VALUE, value.clone())])),
        }
    }
}

fn add_info(input: &Input, body: &mut Map) -> Result<(), Refusal> {
    for (name, key) in [("Description", "description"), ("Name", "title")] {
        if let Some(value) = input.get(name) {
            let info = body.entry("info", Map::new()).as_map();
            let is_default = info.get(key).and_then(Value::reference) == Some("AWS::StackName");
            let is_free = if name == "Name" { is_default } else { !info.has(key) };
            if !is_free {
                let sentence = format!(
                    "Unable to set {name} because it is already defined within inline OpenAPI specified in the 'DefinitionBody' property."
                );
                return Err(refuse(sentence, value.origin()));
            }
            info.set(key, value.clone());
        }
    }
    Ok(())
}

fn add_endpoint(input: &Input, body: &mut Map) {
    let Some(is_off) = input.properties.get("DisableExecuteApiEndpoint").filter(|value| !value.is_null()) else {
        return;
    };
    let servers = body.entry("servers", Vec::new()).as_list();
    if servers.is_empty() {
        servers.push(Map::new().into());
    }
    for server in servers {
        let endpoint = server.as_map().entry("x-amazon-apigateway-endpoint-configuration", Map::new()).as_map();
        endpoint.set("disableExecuteApiEndpoint", is_off.clone());
    }
}
