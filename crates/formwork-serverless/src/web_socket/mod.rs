//! `AWS::Serverless::WebSocketApi`.

mod auth;
mod domain;
mod invocation;
mod routes;

use crate::context::{Context, Input, Translated};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::tags;
use crate::value::{Map, Value};

/// The tag of the API, its stage and its domain.
const CREATOR: &str = "websocketapi:createdBy";

/// Properties that the API has as they are.
const SAME: [&str; 6] = [
    "ApiKeySelectionExpression",
    "Description",
    "DisableExecuteApiEndpoint",
    "DisableSchemaValidation",
    "IpAddressType",
    "RouteSelectionExpression",
];
/// Properties that the stage has as they are.
const OF_STAGE: [&str; 4] = ["AccessLogSettings", "DefaultRouteSettings", "RouteSettings", "StageVariables"];
/// The stage of an API without one.
const STAGE: &str = "default";

/// Translates an API. Of its attributes, `DependsOn` alone is handed on, as by the translator.
pub(crate) fn translate(cx: &mut Context, input: &Input) -> Translated {
    let routes = cx.parameters.resolve(input.properties.get("Routes").unwrap_or(&Value::default()))?;
    let Some(own) = routes.map().filter(|routes| !routes.is_empty()) else {
        return Err(Refusal::new("WebSocket API must have at least one route.").at(routes.origin().or(input.origin)));
    };
    check_address_type(input)?;
    let domain = some(input, "Domain").map(|domain| cx.parameters.resolve(domain)).transpose()?;
    domain::check(domain.as_ref())?;
    let auth = input.get("Auth").map(|auth| cx.parameters.resolve(auth)).transpose()?;
    if auth.is_some() && !own.has("$connect") {
        let sentence = "Authorization is only available if there is a $connect route.";
        return Err(Refusal::new(sentence).at(auth.as_ref().and_then(Value::origin)));
    }
    let mut stage = stage(input);
    let mut made = vec![api(input)];
    if let Some(domain) = &domain {
        made.extend(domain::translate(input, domain, &stage)?);
    }
    check_stage(&stage)?;
    let routes = routes::translate(input, own, auth.as_ref())?;
    if input.get("RouteSettings").is_some() {
        let ids = routes.iter().filter(|one| one.kind == routes::KIND).map(|one| Value::from(one.id.as_str()));
        stage.attributes.set("DependsOn", ids.collect::<Vec<Value>>());
    }
    made.extend(routes);
    made.push(stage);
    Ok(made)
}

/// Returns the value of a property that is not null.
fn some<'a>(input: &'a Input, name: &str) -> Option<&'a Value> {
    input.properties.get(name).filter(|value| !value.is_null())
}

fn check_address_type(input: &Input) -> Result<(), Refusal> {
    let authored = some(input, "IpAddressType");
    match authored.and_then(Value::text) {
        None | Some("ipv4" | "dualstack") => Ok(()),
        Some(_) => {
            let refusal = Refusal::new("IpAddressType must be 'ipv4' or 'dualstack'.");
            Err(refusal.at(authored.and_then(Value::origin)))
        }
    }
}

fn api(input: &Input) -> Resource {
    let mut api = Resource::new(input.id.as_str(), "AWS::ApiGatewayV2::Api").from(input.origin);
    let dependencies = input.resource.get("DependsOn").filter(|value| !value.is_null());
    api.attributes.set_some("DependsOn", dependencies.cloned());
    api.set("Name", some(input, "Name").cloned().unwrap_or_else(|| input.id.as_str().into()));
    api.set("ProtocolType", "WEBSOCKET");
    for name in SAME {
        api.set_some(name, some(input, name).cloned());
    }
    api.set("Tags", tags(input.get("Tags").and_then(Value::map)));
    api
}

/// Returns tags with the one of the transform.
fn tags(own: Option<&Map>) -> Map {
    let mut all = own.cloned().unwrap_or_default();
    all.set(CREATOR, "SAM");
    all
}

/// Returns the tags of what belongs to the API.
fn tags_of_part(input: &Input) -> Map {
    tags(tags::propagated(input))
}

/// Returns the ID of the stage and the stage.
fn stage(input: &Input) -> Resource {
    let name = some(input, "StageName");
    let suffix = match name {
        None => "DefaultStage".to_owned(),
        Some(name) => format!("{}Stage", name.text().unwrap_or_default()),
    };
    let mut stage = Resource::new(format!("{}{suffix}", input.id), "AWS::ApiGatewayV2::Stage");
    stage.origin = name.and_then(Value::origin).or(input.origin);
    stage.set("ApiId", crate::make::reference(&input.id));
    stage.set("AutoDeploy", true);
    stage.set("StageName", name.cloned().unwrap_or_else(|| STAGE.into()));
    stage.set("Tags", tags_of_part(input));
    for name in OF_STAGE {
        stage.set_some(name, some(input, name).cloned());
    }
    stage
}

fn check_stage(stage: &Resource) -> Result<(), Refusal> {
    if stage.properties.get("StageName").and_then(Value::text) == Some("$default") {
        return Err(Refusal::new("Stages cannot be named $default for WebSocket APIs.").at(stage.origin));
    }
    check_id(stage)
}

/// Compares the ID of a resource that is made with the form of IDs.
fn check_id(resource: &Resource) -> Result<(), Refusal> {
    if resource.id.chars().all(|character| character.is_ascii_alphanumeric()) {
        return Ok(());
    }
    Err(Refusal::new("Logical ids must be alphanumeric.").of_resource(&resource.id).at(resource.origin))
}
