//! `Routes`: a route with its integration, and the permission to call its function.

use super::auth::{self, Authorizer};
use super::invocation::invocation;
use super::{STAGE, check_id, some};
use crate::context::Input;
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// The type of a route.
pub(super) const KIND: &str = "AWS::ApiGatewayV2::Route";
/// The type of an integration.
const INTEGRATION: &str = "AWS::ApiGatewayV2::Integration";
const SPECIAL: [&str; 3] = ["$connect", "$disconnect", "$default"];

/// Properties that a route has as they are.
const SAME: [&str; 5] = [
    "ApiKeyRequired",
    "ModelSelectionExpression",
    "OperationName",
    "RequestModels",
    "RouteResponseSelectionExpression",
];

/// Translates the routes.
pub(super) fn translate(input: &Input, routes: &Map, auth: Option<&Value>) -> Result<Vec<Resource>, Refusal> {
    let mut made: Vec<Resource> = Vec::new();
    let mut authorizer = None;
    for (key, route) in routes.iter() {
        check(key, route).map_err(|refusal| refusal.at(route.origin()))?;
        // The translator looks at the authorization behind the first route's key.
        if let Some(auth) = auth.filter(|_| authorizer.is_none()) {
            authorizer = Some(auth::translate(input, auth)?);
        }
        let parts = one(input, key, route, authorizer.as_ref().filter(|_| key == "$connect"))
            .map_err(|refusal| refusal.at(route.origin()))?;
        for part in parts {
            made.retain(|other| other.id != part.id);
            made.push(part);
        }
    }
    Ok(made)
}

fn check(key: &str, route: &Value) -> Result<(), Refusal> {
    if !SPECIAL.contains(&key) && (key.is_empty() || !key.chars().all(char::is_alphanumeric)) {
        let sentence = format!(
            "Route key '{key}' must be alphanumeric. Only $connect, $disconnect, and $default special routes are supported."
        );
        return Err(Refusal::new(sentence).about(key));
    }
    let Some(own) = route.map() else {
        return Err(Refusal::new(format!("Property 'Routes.{key}' should be a map.")));
    };
    let parameters = own.get_true("RequestParameters");
    if parameters.is_some() && key != "$connect" {
        let sentence = "Request parameters are only supported for the $connect route in WebSocket APIs.";
        return Err(Refusal::new(sentence).at(parameters.and_then(Value::origin)));
    }
    Ok(())
}

fn one(input: &Input, key: &str, route: &Value, authorizer: Option<&Authorizer>) -> Result<Vec<Resource>, Refusal> {
    let empty = Map::new();
    let own = route.map().unwrap_or(&empty);
    let Some(function) = own.get("FunctionArn") else {
        return Err(Refusal::new("Route must have associated function."));
    };
    let name = capitalized(key.trim_start_matches('$'));
    let new = |suffix: &str, kind: &'static str| {
        let resource = Resource::new(format!("{}{name}{suffix}", input.id), kind).from(route.origin());
        check_id(&resource).map(|()| resource)
    };
    let mut made = new("Route", KIND)?;
    let mut integration = new("Integration", INTEGRATION)?;
    made.set("ApiId", make::reference(&input.id));
    made.set("RouteKey", key);
    for name in SAME {
        made.set_some(name, own.get(name).filter(|value| !value.is_null()).cloned());
    }
    made.set_some("RequestParameters", own.get_true("RequestParameters").cloned());
    made.set("Target", make::join("/", vec!["integrations".into(), integration.reference()]));
    if let Some(authorizer) = authorizer {
        made.set("AuthorizationType", authorizer.kind.as_str());
        made.set_some("AuthorizerId", authorizer.made.first().map(Resource::reference));
    }
    integration.set("ApiId", make::reference(&input.id));
    integration.set("IntegrationType", "AWS_PROXY");
    integration.set("IntegrationUri", invocation("FunctionArn", function));
    let timeout = own.get("IntegrationTimeout").filter(|value| !value.is_null());
    integration.set_some("TimeoutInMillis", timeout.cloned());
    let mut permission = new("Permission", "AWS::Lambda::Permission")?;
    permission.set("Action", "lambda:InvokeFunction");
    permission.set_some("FunctionName", Some(function).filter(|function| !function.is_null()).cloned());
    permission.set("Principal", "apigateway.amazonaws.com");
    permission.set("SourceArn", source(input, key));
    let besides = authorizer.into_iter().flat_map(|authorizer| authorizer.made.iter().cloned());
    Ok([made, integration, permission].into_iter().chain(besides).collect())
}

fn source(input: &Input, key: &str) -> Value {
    let start =
        format!("arn:${{AWS::Partition}}:execute-api:${{AWS::Region}}:${{AWS::AccountId}}:${{{}.ApiId}}", input.id);
    let stage = some(input, "StageName");
    if let Some(stage) = stage.map_or(Some(STAGE), Value::text) {
        return make::sub(&format!("{start}/{stage}/{key}"));
    }
    let name = stage.cloned().unwrap_or_default();
    make::sub_with(&format!("{start}/${{__StageName__}}/{key}"), [("__StageName__", name)])
}

/// Returns a word with its first letter alone in upper case.
fn capitalized(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}", characters.as_str().to_lowercase())
}
