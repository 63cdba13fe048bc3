//! `Api`: a method of an API that invokes the function.

mod auth;
mod merge;
mod requests;
mod state_machine;

pub(super) use auth::require;

use super::{Event, Source};
use crate::context::{Context, Translated};
use crate::iam::Role;
use crate::openapi::paths::{any_values, without_slash};
use crate::openapi::{self, INTEGRATION, REST, named};
use crate::properties::{Kind, of};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};
use crate::{hash, make};

pub(super) use state_machine::SOURCE as OF_STATE_MACHINE;

pub(super) const SOURCE: Source = Source {
    name: "Api",
    properties: &[
        of("Path", Kind::Text).required(),
        of("Method", Kind::Text).required(),
        of("RestApiId", Kind::TextOrMap),
        of("Stage", Kind::Text),
        of("Auth", Kind::Map),
        of("RequestModel", Kind::Map),
        of("RequestParameters", Kind::List),
        of("TimeoutInMillis", Kind::Any),
        of("ResponseTransferMode", Kind::Any),
    ],
    translate,
};

fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let api = event.get("RestApiId").and_then(named).unwrap_or_default().to_owned();
    let path = event.get("Path").and_then(Value::text).unwrap_or_default().to_owned();
    let authored = event.get("Method").and_then(Value::text).unwrap_or_default();
    let method = openapi::method_key(authored);
    let shown = authored.to_lowercase();
    let permission = permission(cx, event, &api, &path, &shown)?;
    add_integration(cx, event, &api, &Route { path: &path, method: &method, shown: &shown })
        .map_err(|refusal| refusal.of_event(event.name))?;
    Ok(vec![permission])
}

/// Returns a name as a part of an ID, or the digits of it.
fn suffix(stage: &str) -> String {
    if openapi::stage_words(stage) == stage { stage.to_owned() } else { hash::short_digest(stage) }
}

/// Returns the name of the API's stage as a part of an ID.
fn stage_suffix(cx: &Context, api: &str) -> Result<String, Refusal> {
    let own = cx.resources.get(api).filter(|api| api.get("Type").and_then(Value::text) == Some(REST.kind));
    let stage = own.and_then(|api| api.get("Properties")).and_then(|own| own.get("StageName"));
    if let Some(empty) = stage.filter(|stage| stage.text() == Some("")) {
        return Err(Refusal::new("StageName cannot be empty.").at(empty.origin()).of_resource(api));
    }
    Ok(stage.and_then(Value::text).map_or_else(|| "Stage".to_owned(), suffix))
}

fn permission(cx: &Context, event: &Event<'_>, api: &str, path: &str, method: &str) -> Result<Resource, Refusal> {
    let mut permission = event.permission(&format!("Permission{}", stage_suffix(cx, api)?), "apigateway.amazonaws.com");
    let method = if method == "any" { "*".to_owned() } else { method.to_uppercase() };
    let arn = format!(
        "arn:{}:execute-api:${{AWS::Region}}:${{AWS::AccountId}}:${{__ApiId__}}/${{__Stage__}}/{method}{}",
        cx.parameters.partition,
        without_slash(any_values(path))
    );
    let api = event.written("RestApiId").unwrap_or_default();
    permission.set("SourceArn", make::sub_with(&arn, [("__ApiId__", api), ("__Stage__", "*".into())]));
    Ok(permission)
}

/// Returns the URI of the function for an integration.
pub(super) fn uri(event: &Event<'_>, partition: &str) -> Value {
    let arn = &event.target.arn;
    let name = match arn.call() {
        Some(("Fn::GetAtt", parts)) => {
            let parts = parts.list().unwrap_or_default().iter().filter_map(Value::text);
            parts.collect::<Vec<&str>>().join(".")
        }
        _ => arn.reference().unwrap_or_default().to_owned(),
    };
    let uri =
        format!("arn:{partition}:apigateway:${{AWS::Region}}:lambda:path/2015-03-31/functions/${{{name}}}/invocations");
    let is_of_alias = arn.reference().is_some();
    make::call("Fn::Sub", Value::from(uri).at(event.origin.filter(|_| !is_of_alias)))
}

/// The condition of the function.
pub(super) fn condition(event: &Event<'_>) -> Option<Value> {
    event.owner.resource.get("Condition").filter(|condition| condition.is_true()).cloned()
}

fn add_integration(cx: &mut Context, event: &Event<'_>, api: &str, route: &Route<'_>) -> Result<(), Refusal> {
    let partition = cx.parameters.partition.clone();
    let Some(own) = merge::take(cx, api, event.target.owner) else { return Ok(()) };
    if let Some(name) = event.owner.properties.get("FunctionName").filter(|name| name.is_true()) {
        cx.apis.add_function(api, &event.owner.id, &hash::python_str(&name.into()));
    }
    own.change(cx, event, route, &mut |parameters, own, body| {
        check_new(event, body, route)?;
        let condition = condition(event);
        let integration = integration(event, own, condition.as_ref(), &partition);
        set_operation(body, route, condition.as_ref(), &integration, &Map::new());
        let stage = own.get("StageName").cloned();
        auth::add(parameters, event, own, body, route, stage.as_ref())?;
        requests::add_model(event, own, body, route)?;
        requests::add_parameters(event, body, route)?;
        auth::check_override(event)?;
        auth::define(body, route);
        Ok(())
    })
}

/// Refuses a method that the path has already.
fn check_new(event: &Event<'_>, body: &Map, route: &Route<'_>) -> Result<(), Refusal> {
    if openapi::methods(body, route.path, route.method).iter().all(|one| !one.has(INTEGRATION)) {
        return Ok(());
    }
    let sentence = format!("API method \"{}\" defined multiple times for path \"{}\".", route.shown, route.path);
    Err(Refusal::new(sentence).at(event.origin))
}

fn integration(event: &Event<'_>, own: &Map, condition: Option<&Value>, partition: &str) -> Map {
    let none = Map::new();
    let api_auth = own.get("Auth").and_then(Value::map).unwrap_or(&none);
    let mut integration = Map::new();
    integration.set("type", "aws_proxy");
    integration.set("httpMethod", "POST");
    integration.set("uri", openapi::under(condition, uri(event, partition)));
    integration.set_some("credentials", auth::credentials(event, api_auth, partition));
    integration.set_some("timeoutInMillis", event.written("TimeoutInMillis"));
    integration
}

/// Sets the integration and the responses of a method.
fn set_operation(body: &mut Map, route: &Route<'_>, condition: Option<&Value>, integration: &Map, responses: &Map) {
    let paths = body.entry("paths", Map::new()).as_map();
    if !paths.has(route.path) {
        paths.set(route.path, Map::new());
    }
    let Some(item) = paths.get_mut(route.path) else { return };
    for item in openapi::contents_mut(item) {
        let value = item.entry(route.method, Map::new());
        let mut operation = std::mem::take(value).into_map().unwrap_or_default();
        operation.set(INTEGRATION, integration.clone());
        operation.set("responses", responses.clone());
        *value = openapi::under(condition, operation.into());
    }
}

/// A path with a method.
pub(super) struct Route<'a> {
    pub(super) path: &'a str,
    /// The key of the method in the body.
    pub(super) method: &'a str,
    /// The authored method in lower case.
    pub(super) shown: &'a str,
}
