//! Gateway responses, models and the other extensions of a body.

use crate::context::Input;
use crate::make;
pub(super) use crate::openapi::{is_open_api, is_third, ordered};
use crate::refusal::Refusal;
use crate::shown;
use crate::value::{Map, Value};

/// Adds the extension that a property of an API asks for.
pub(super) fn add(property: &str, input: &Input, body: &mut Map) -> Result<(), Refusal> {
    match property {
        "GatewayResponses" => add_responses(input, body)?,
        "BinaryMediaTypes" => add_media_types(input, body),
        "Models" => {
            if let Some(models) = input.get("Models").and_then(Value::map) {
                add_models(body, models)?;
            }
        }
        _ => add_endpoint(input, body),
    }
    Ok(())
}

fn add_responses(input: &Input, body: &mut Map) -> Result<(), Refusal> {
    let Some(responses) = input.get("GatewayResponses").and_then(Value::map) else { return Ok(()) };
    let mut all = Map::new();
    for name in &ordered(responses) {
        let Some(response) = responses.get(name) else { continue };
        all.set_with_key(name, responses.key(name), gateway_response(name, response)?);
    }
    body.set("x-amazon-apigateway-gateway-responses", all);
    Ok(())
}

const MEDIA_TYPES: &str = "x-amazon-apigateway-binary-media-types";

fn add_media_types(input: &Input, body: &mut Map) {
    let Some(authored) = input.get("BinaryMediaTypes") else { return };
    let Some(types) = authored.list() else { return body.set(MEDIA_TYPES, authored.clone()) };
    body.set(MEDIA_TYPES, types.iter().map(with_slashes).collect::<Vec<Value>>());
}

/// Returns a type with slashes in place of their escapes.
fn with_slashes(value: &Value) -> Value {
    match (value.text(), value.list(), value.map()) {
        (Some(text), ..) if text.contains("~1") => Value::from(text.replace("~1", "/")).at(value.origin()),
        (_, Some(items), _) => Value::from(items.iter().map(with_slashes).collect::<Vec<Value>>()).at(value.origin()),
        (.., Some(map)) => {
            let mut new = map.clone();
            for (_, one) in new.iter_mut() {
                *one = with_slashes(one);
            }
            Value::from(new).at(value.origin())
        }
        _ => value.clone(),
    }
}

fn add_endpoint(input: &Input, body: &mut Map) {
    let Some(is_off) = input.properties.get("DisableExecuteApiEndpoint").filter(|value| !value.is_null()) else {
        return;
    };
    const KEY: &str = "x-amazon-apigateway-endpoint-configuration";
    let new = make::map([("disableExecuteApiEndpoint", is_off.clone())]);
    if !is_open_api(body) {
        body.set(KEY, new);
        return;
    }
    let servers = body.entry("servers", Vec::new()).as_list();
    if servers.is_empty() {
        servers.push(Map::new().into());
    }
    for server in servers {
        let old = server.as_map().entry(KEY, Map::new()).as_map();
        old.set("disableExecuteApiEndpoint", is_off.clone());
    }
}

/// Parameters of a response, with their names in the document.
const PARAMETERS: [(&str, &str); 3] = [("Headers", "header"), ("Paths", "path"), ("QueryStrings", "querystring")];

fn gateway_response(name: &str, authored: &Value) -> Result<Value, Refusal> {
    const KEYS: [&str; 3] = ["StatusCode", "ResponseParameters", "ResponseTemplates"];
    let Some(own) = authored.map() else {
        let sentence = format!(
            "Invalid property type '{}' for GatewayResponses. Expected an object of type 'GatewayResponse'.",
            shown::kind_of_template(authored)
        );
        return Err(Refusal::new(sentence).at(authored.origin()));
    };
    if let Some(unknown) = own.keys().find(|key| !KEYS.contains(key)) {
        let sentence = format!("Invalid property '{unknown}' in 'GatewayResponses' property '{name}'.");
        return Err(Refusal::new(sentence).at(own.key(unknown)).about(unknown).among(KEYS));
    }
    let mut response = Map::new();
    response.set("responseParameters", parameters(name, own)?);
    let templates = own.get("ResponseTemplates").filter(|templates| !templates.is_null());
    response.set("responseTemplates", templates.cloned().unwrap_or_else(|| Map::new().into()));
    let status = own.get("StatusCode").filter(|status| !status.is_null() && status.text() != Some(""));
    if let Some(status) = status {
        let text = status.text_form().filter(|text| text.chars().all(|c| c.is_ascii_digit()));
        let Some(text) = text else {
            return Err(Refusal::new("Property 'StatusCode' must be numeric").at(status.origin()));
        };
        response.set("statusCode", text);
    }
    Ok(Value::from(response).at(authored.origin()))
}

fn parameters(name: &str, response: &Map) -> Result<Map, Refusal> {
    let mut made = Map::new();
    let Some(authored) = response.get("ResponseParameters").filter(|all| !all.is_null()) else { return Ok(made) };
    let refuse = |sentence: String, at: &Value| Err(Refusal::new(sentence).at(at.origin()));
    let Some(all) = authored.map() else {
        return refuse(format!("Property 'GatewayResponses.{name}.ResponseParameters' should be a map."), authored);
    };
    for place in &ordered(all) {
        let Some(values) = all.get(place) else { continue };
        let Some((_, word)) = PARAMETERS.iter().find(|(name, _)| name == place) else {
            let refused = refuse(format!("Invalid gateway response parameter '{place}'"), values);
            return refused.map_err(|refusal: Refusal| refusal.about(place).among(PARAMETERS.map(|(name, _)| name)));
        };
        let Some(values) = values.map() else {
            return refuse(format!("Property 'ResponseParameters.{place}' should be a map."), values);
        };
        for key in &ordered(values) {
            let value = values.get(key).cloned().unwrap_or_default();
            made.set_with_key(&format!("gatewayresponse.{word}.{key}"), value.origin(), value);
        }
    }
    Ok(made)
}

fn add_models(body: &mut Map, models: &Map) -> Result<(), Refusal> {
    let definitions = body.entry("definitions", Map::new()).as_map();
    for name in &ordered(models) {
        let Some(model) = models.get(name) else { continue };
        let Some(own) = model.map() else {
            return Err(Refusal::new("Invalid value for 'Models' property").at(model.origin()));
        };
        if !own.has("type") {
            let sentence = "'Models' schema is missing 'type'.";
            return Err(Refusal::alone(sentence).at(model.origin()));
        }
        definitions.set_with_key(&name.to_lowercase(), models.key(name), model.clone());
    }
    Ok(())
}
