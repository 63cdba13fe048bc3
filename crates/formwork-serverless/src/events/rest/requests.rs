//! Models and parameters of the requests of an event.

use super::Route;
use crate::events::Event;
use crate::make;
use crate::openapi::{self, INTEGRATION};
use crate::refusal::Refusal;
use crate::value::{Map, Value};

const VALIDATOR: &str = "x-amazon-apigateway-request-validator";
const VALIDATORS: &str = "x-amazon-apigateway-request-validators";

/// Adds the model of the request's body.
pub(super) fn add_model(event: &Event<'_>, own: &Map, body: &mut Map, route: &Route<'_>) -> Result<(), Refusal> {
    let Some(request) = event.get("RequestModel").and_then(Value::map) else { return Ok(()) };
    let Some(model) = request.get("Model").and_then(Value::text) else { return Ok(()) };
    let of = format!(
        "Unable to set RequestModel [{model}] on API method [{}] for path [{}] because",
        route.shown, route.path
    );
    let refuse =
        |sentence: String| Refusal::new(sentence).at(request.get("Model").and_then(Value::origin)).about(model);
    let Some(models) = own.get_true("Models") else {
        return Err(refuse(format!("{of} the related API does not define any Models.")));
    };
    let Some(models) = models.map() else {
        return Err(refuse(format!("{of} the related API Models is invalid.")));
    };
    if !models.has(model) {
        return Err(refuse(format!("{of} it wasn't defined in the API's Models.")).among(models.keys()));
    }
    let required = request.get("Required").filter(|required| !required.is_null()).cloned();
    let name = model.to_lowercase();
    let is_open_api = openapi::is_open_api(body);
    for operation in openapi::methods_mut(body, route.path, route.method) {
        if is_open_api {
            let schema = make::map([("$ref", format!("#/components/schemas/{name}").into())]);
            let content = make::map([("application/json", make::map([("schema", schema)]))]);
            let mut new = make::map([("content", content)]);
            new.as_map().set_some("required", required.clone());
            operation.set("requestBody", new);
        } else {
            let mut parameter = Map::new();
            let origin = request.get("Model").and_then(Value::origin);
            parameter.set("in", "body");
            parameter.set("name", Value::from(name.as_str()).at(origin));
            parameter.set_some("required", required.clone());
            parameter.set("schema", make::map([("$ref", format!("#/definitions/{name}").into())]));
            operation.entry("parameters", Vec::new()).as_list().push(parameter.into());
        }
    }
    add_validator(request, body, route);
    Ok(())
}

fn add_validator(request: &Map, body: &mut Map, route: &Route<'_>) {
    let truth = |name: &str| request.get(name).filter(|value| !value.is_null());
    let (validates_body, validates_parameters) = (truth("ValidateBody"), truth("ValidateParameters"));
    if validates_body.is_none() && validates_parameters.is_none() {
        return;
    }
    let (is_body, is_parameters) =
        (validates_body.is_some_and(Value::is_true), validates_parameters.is_some_and(Value::is_true));
    let name = match (is_body, is_parameters) {
        (true, true) => "body-and-params",
        (true, false) => "body-only",
        (false, true) => "params-only",
        (false, false) => "no-validation",
    };
    let validator =
        make::map([("validateRequestParameters", is_parameters.into()), ("validateRequestBody", is_body.into())]);
    let validators = body.entry(VALIDATORS, Map::new()).as_map();
    if !validators.has(name) {
        validators.note_merge(1);
        validators.set(name, validator);
    }
    for operation in openapi::methods_mut(body, route.path, route.method) {
        operation.note_merge(1);
        operation.set(VALIDATOR, name);
    }
}

/// Places of parameters, with their names in documents.
const PLACES: [(&str, &str); 3] = [("header", "header"), ("path", "path"), ("querystring", "query")];

/// Adds the parameters of the request.
pub(super) fn add_parameters(event: &Event<'_>, body: &mut Map, route: &Route<'_>) -> Result<(), Refusal> {
    let Some(authored) = event.get("RequestParameters").and_then(Value::list) else { return Ok(()) };
    let mut parameters = Vec::new();
    let mut cached = Vec::new();
    for one in authored {
        let (full, options) = match one.map() {
            Some(map) if map.len() == 1 => {
                let Some((name, options)) = map.iter().next() else { continue };
                (Value::from(name).at(one.origin()), options.map().cloned().unwrap_or_default())
            }
            _ => (one.clone(), Map::new()),
        };
        let Some(text) = full.text() else {
            let sentence = "Invalid value for 'RequestParameters' property. Keys must be in the format 'method.request.[querystring|path|header].{value}', e.g 'method.request.header.Authorization'.";
            return Err(Refusal::new(sentence).at(one.origin()));
        };
        let parts: Vec<&str> = text.split('.').collect();
        let place = parts.get(2).and_then(|place| PLACES.iter().find(|(name, _)| name == place));
        let (Some((_, place)), true) = (place, text.starts_with("method.request.") && parts.len() >= 4) else {
            let sentence = "Invalid value for 'RequestParameters' property. Keys must be in the format 'method.request.[querystring|path|header].{value}', e.g 'method.request.header.Authorization'.";
            return Err(Refusal::new(sentence).at(one.origin()));
        };
        let is_required = options.get("Required").is_some_and(Value::is_true) || *place == "path";
        let mut parameter = Map::new();
        parameter.set("required", is_required);
        // A query has another name in documents.
        let is_same = parts.get(2) == Some(place);
        parameter.set("in", Value::from(*place).at(full.origin().filter(|_| is_same)));
        parameter.set("name", Value::from(parts.get(3..).unwrap_or_default().join(".")).at(full.origin()));
        parameter.set("type", "string");
        parameters.push(Value::from(parameter).at(one.origin()));
        if options.get("Caching").is_some_and(Value::is_true) {
            cached.push(full);
        }
    }
    for operation in openapi::methods_mut(body, route.path, route.method) {
        operation.entry("parameters", Vec::new()).as_list().extend(parameters.iter().cloned());
        if !cached.is_empty()
            && let Some(integration) = operation.get_mut(INTEGRATION).and_then(Value::map_mut)
        {
            integration.set("cacheKeyParameters", cached.clone());
        }
    }
    Ok(())
}
