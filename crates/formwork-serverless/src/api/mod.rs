//! `AWS::Serverless::Api`: an API with its deployment and stage.

mod auth;
mod authorizers;
mod body;
mod cors;
mod domain;
mod extensions;
pub(crate) mod shared;
mod stage;
mod usage;

use formwork_syntax::NodeId;

use crate::artifact::{self, Names};
use crate::attributes;
use crate::context::{Context, Input, Translated};
use crate::hash::Data;
use crate::openapi::hashed;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};
use crate::{make, tags};

pub(crate) use auth::each_operation;
pub(crate) use authorizers::authorizer_permission;
pub(crate) use domain::{SECOND, records};

const LOCATION: Names = Names { bucket: "Bucket", key: "Key", version: "Version" };

/// Properties that are handed on to the API, with those that are always written.
const PASSED: [&str; 8] = [
    "Description",
    "Name",
    "MinimumCompressionSize",
    "Mode",
    "ApiKeySourceType",
    "Policy",
    "SecurityPolicy",
    "EndpointAccessMode",
];

/// Translates an API.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    check(input)?;
    let input = &resolved(cx, input)?;
    let mut api = Resource::new(&input.id, "AWS::ApiGateway::RestApi").from(input.origin);
    api.attributes = attributes::of_main(&input.resource);
    set_endpoint(cx, input, &mut api);
    let mut permissions = Vec::new();
    let hashed = match (input.get("DefinitionUri"), input.get("DefinitionBody")) {
        (Some(uri), _) => {
            let location = artifact::location(uri, "DefinitionUri", &LOCATION)?;
            let data = hashed::location(&location);
            api.set("BodyS3Location", location);
            data
        }
        (None, Some(body)) => {
            let (body, data) = body::translate(cx, input, body, &mut permissions)?;
            api.set("Body", body);
            data
        }
        (None, None) => Data::Null,
    };
    let domain = domain::translate(cx, input)?;
    for name in PASSED {
        api.set_some(name, written(input, name));
    }
    api.set_some("FailOnWarnings", input.get("FailOnWarnings").cloned());
    api.set_some("BinaryMediaTypes", written(input, "BinaryMediaTypes"));
    if let Some(tags) = tags::propagated(input) {
        api.set("Tags", tags::in_order(tags));
    }
    let (deployment, stage) = stage::translate(cx, input, &hashed, domain.hashed.as_ref());
    let plans = usage::translate(cx, input, &stage)?;
    let mut made = vec![api, deployment, stage];
    made.extend(permissions);
    made.extend(domain.made(cx, input));
    made.extend(plans);
    propagate(input, &mut made);
    Ok(made)
}

/// Properties of which the translator fixes the values of parameters.
const RESOLVED: [&str; 3] = ["Auth", "BinaryMediaTypes", "Domain"];

/// Returns the API with the values of parameters in the properties where the translator fixes them.
fn resolved(cx: &Context, input: &Input) -> Result<Input, Refusal> {
    let mut input = input.clone();
    for name in RESOLVED {
        if let Some(value) = input.properties.get_mut(name) {
            *value = cx.parameters.resolve(value)?;
        }
    }
    Ok(input)
}

/// Returns the value of a property that is not null.
fn written(input: &Input, name: &str) -> Option<Value> {
    input.properties.get(name).filter(|value| !value.is_null()).cloned()
}

fn refuse(sentence: impl Into<String>, at: Option<NodeId>) -> Refusal {
    Refusal::new(sentence).at(at)
}

fn check(input: &Input) -> Result<(), Refusal> {
    let body = input.get("DefinitionBody");
    let uri = input.get("DefinitionUri");
    if let (Some(uri), Some(_)) = (uri, body) {
        let sentence = "Specify either 'DefinitionUri' or 'DefinitionBody' property and not both.";
        return Err(refuse(sentence, uri.origin()));
    }
    if let Some(version) = input.get("OpenApiVersion") {
        let Some(text) = version.text_form() else {
            return Err(refuse("Property 'OpenApiVersion' should be a string.", version.origin()));
        };
        let is_one = |start: &str| {
            let rest = text.strip_prefix(start);
            rest.is_some_and(|rest| rest.is_empty() || rest.chars().all(|c| c.is_ascii_digit() || c == '.'))
        };
        if !["2.0", "3.0", "3.1"].into_iter().any(is_one) {
            return Err(refuse("The OpenApiVersion value must be of the format '3.0.0'.", version.origin()));
        }
    }
    let Some(uri) = uri else { return Ok(()) };
    if input.get("MergeDefinitions").is_some() {
        let sentence = "Cannot set 'MergeDefinitions' to True when using `DefinitionUri`.";
        return Err(refuse(sentence, uri.origin()));
    }
    for name in ["Cors", "Auth", "GatewayResponses", "Models", "DisableExecuteApiEndpoint"] {
        let is_set = |value: &&Value| value.is_true() || (name == "DisableExecuteApiEndpoint" && !value.is_null());
        if let Some(value) = input.properties.get(name).filter(is_set) {
            let sentence = match name {
                "DisableExecuteApiEndpoint" => format!("{name} works only within 'DefinitionBody' property."),
                _ => format!("{name} works only with inline Swagger specified in 'DefinitionBody' property."),
            };
            return Err(refuse(sentence, value.origin()));
        }
    }
    Ok(())
}

/// Sets the kind of endpoint, as a parameter too.
fn set_endpoint(cx: &Context, input: &Input, api: &mut Resource) {
    let partition = cx.parameters.partition.as_str();
    let Some(endpoint) = input.get("EndpointConfiguration") else {
        if partition != "aws" {
            set_types(api, "REGIONAL".into(), None);
        }
        return;
    };
    match endpoint.map().filter(|map| map.get_true("Type").is_some()) {
        None => set_types(api, endpoint.clone(), None),
        Some(map) => {
            let kind = map.get("Type").cloned().unwrap_or_default();
            set_types(api, kind, Some(map));
        }
    }
}

fn set_types(api: &mut Resource, kind: Value, map: Option<&Map>) {
    let mut endpoint = Map::new();
    endpoint.set("Types", Value::from(vec![kind.clone()]));
    for (name, new) in [("VPCEndpointIds", "VpcEndpointIds"), ("IpAddressType", "IpAddressType")] {
        endpoint.set_some(new, map.and_then(|map| map.get_true(name)).cloned());
    }
    api.set("EndpointConfiguration", endpoint);
    api.set("Parameters", make::map([("endpointConfigurationTypes", kind)]));
}

/// Types that get the tags of an API with `PropagateTags`.
const TAGGED: [&str; 4] = [
    "AWS::ApiGateway::ApiKey",
    "AWS::ApiGateway::DomainName",
    "AWS::ApiGateway::DomainNameV2",
    "AWS::ApiGateway::UsagePlan",
];

fn propagate(input: &Input, made: &mut [Resource]) {
    let Some(tags) = tags::propagated(input) else { return };
    for one in made.iter_mut().filter(|one| TAGGED.contains(&one.kind)) {
        one.set("Tags", tags::in_order(tags));
    }
}
