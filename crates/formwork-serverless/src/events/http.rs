//! `HttpApi`: a route of an API of the second version that invokes the function.

use super::{Event, Source, rest};
use crate::context::{Context, Translated};
use crate::iam::Role;
use crate::make;
use crate::openapi::paths::{any_values, without_slash};
use crate::openapi::{self, ANY, HTTP, INTEGRATION, named};
use crate::properties::{Kind, of};
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

pub(super) const SOURCE: Source = Source {
    name: "HttpApi",
    properties: &[
        of("Path", Kind::Text),
        of("Method", Kind::Text),
        of("ApiId", Kind::TextOrMap),
        of("Auth", Kind::Map),
        of("TimeoutInMillis", Kind::Any),
        of("RouteSettings", Kind::Map),
        of("PayloadFormatVersion", Kind::TextOrMap),
    ],
    translate,
};

const DEFAULT: &str = "$default";

fn translate(cx: &mut Context, event: &Event<'_>, _: Option<&mut Role>) -> Translated {
    let api = event.get("ApiId").and_then(named).unwrap_or_default().to_owned();
    let path = event.get("Path").and_then(Value::text).unwrap_or_default().to_owned();
    let method = openapi::method_key(event.get("Method").and_then(Value::text).unwrap_or_default());
    let permission = Some(permission(event, &path, &method)).filter(|_| !is_covered(event, &path, &method));
    let shown = event.get("Method").and_then(Value::text).unwrap_or_default().to_lowercase();
    let method = Method { key: &method, shown: &shown };
    add_integration(cx, event, &api, &path, &method).map_err(|refusal| refusal.of_event(event.name))?;
    Ok(permission.into_iter().collect())
}

/// Returns `true` if another event of the function has the default route of the API, whose permission is for all.
fn is_covered(event: &Event<'_>, path: &str, method: &str) -> bool {
    let api = event.properties.get("ApiId");
    let is_default = |one: &Value| {
        let Some(own) = one.get("Properties") else { return false };
        let is_any = own.get("Method").and_then(Value::text).is_some_and(|method| openapi::method_key(method) == ANY);
        one.get("Type").and_then(Value::text) == Some(SOURCE.name)
            && own.get("ApiId") == api
            && own.get("Path").and_then(Value::text) == Some(DEFAULT)
            && is_any
    };
    let events = event.owner.properties.get("Events").and_then(Value::map);
    (path, method) != (DEFAULT, ANY) && events.into_iter().flat_map(Map::iter).any(|(_, one)| is_default(one))
}

fn permission(event: &Event<'_>, path: &str, method: &str) -> Resource {
    let mut permission = event.permission("Permission", "apigateway.amazonaws.com");
    let method = if method == ANY { "*".to_owned() } else { method.to_uppercase() };
    let path = if path == DEFAULT { String::new() } else { without_slash(any_values(path)) };
    let arn = format!(
        "arn:${{AWS::Partition}}:execute-api:${{AWS::Region}}:${{AWS::AccountId}}:${{__ApiId__}}/${{__Stage__}}/{method}{path}"
    );
    let api = event.written("ApiId").unwrap_or_default();
    permission.set("SourceArn", make::sub_with(&arn, [("__ApiId__", api), ("__Stage__", "*".into())]));
    permission
}

/// The key of a method in the body, and the authored one in lower case.
struct Method<'m> {
    key: &'m str,
    shown: &'m str,
}

fn add_integration(cx: &mut Context, event: &Event<'_>, api: &str, path: &str, of: &Method<'_>) -> Result<(), Refusal> {
    let method = of.key;
    let Some(own) = cx.resources.get_mut(api).filter(|api| is_it(api)).map(Value::as_map) else { return Ok(()) };
    let Some(own) = own.get_mut("Properties").and_then(Value::map_mut) else { return Ok(()) };
    let auth = own.get("Auth").and_then(Value::map).cloned().unwrap_or_default();
    let is_managed = own.get(openapi::MANAGED).is_some_and(Value::is_true);
    add_route_settings(event, own, path, of.shown);
    let Some(body) = own.get_mut("DefinitionBody").and_then(Value::map_mut) else { return Ok(()) };
    let is_there = openapi::methods(body, path, method).iter().any(|one| one.has(INTEGRATION));
    if is_there && is_managed {
        let sentence = format!("API method '{}' defined multiple times for path '{path}'.", of.shown);
        return Err(Refusal::new(sentence).at(event.origin));
    }
    let condition = rest::condition(event);
    let Some(item) = body.get_mut("paths").and_then(Value::map_mut).and_then(|paths| paths.get_mut(path)) else {
        return Ok(());
    };
    if !is_there {
        let integration = integration(event, condition.as_ref());
        for item in openapi::contents_mut(item) {
            let value = item.entry(method, Map::new());
            let mut operation = std::mem::take(value).into_map().unwrap_or_default();
            operation.set(INTEGRATION, integration.clone());
            if path == DEFAULT && method == ANY {
                operation.set("isDefaultRoute", true);
            }
            operation.entry("responses", Map::new());
            *value = openapi::under(condition.as_ref(), operation.into());
        }
    }
    add_parameters(body, path, method);
    add_auth(event, &auth, body, path, of)
}

fn is_it(api: &Value) -> bool {
    api.get("Type").and_then(Value::text) == Some(HTTP.kind)
}

fn integration(event: &Event<'_>, condition: Option<&Value>) -> Map {
    let mut integration = Map::new();
    integration.set("type", "aws_proxy");
    integration.set("httpMethod", "POST");
    integration.set("payloadFormatVersion", event.written("PayloadFormatVersion").unwrap_or_else(|| "2.0".into()));
    integration.set("uri", openapi::under(condition, rest::uri(event, "${AWS::Partition}")));
    integration.set_some("timeoutInMillis", event.written("TimeoutInMillis"));
    integration
}

/// Adds the settings of the route to those of the API's stage.
fn add_route_settings(event: &Event<'_>, own: &mut Map, path: &str, method: &str) {
    let Some(settings) = event.get("RouteSettings").and_then(Value::map) else { return };
    let key = match method {
        ANY => path.to_owned(),
        _ => format!("{} {path}", method.to_uppercase()),
    };
    let all = own.entry("RouteSettings", Map::new()).as_map();
    let route = all.entry(&key, Map::new()).as_map();
    for (name, key, value) in settings.members() {
        route.set_with_key(name, key, value.clone());
    }
}

/// Adds the parameters of the path.
fn add_parameters(body: &mut Map, path: &str, method: &str) {
    let names = path.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
    let names: Vec<&str> = names.collect();
    if names.is_empty() {
        return;
    }
    for operation in openapi::methods_mut(body, path, method) {
        let parameters = operation.entry("parameters", Vec::new()).as_list();
        for name in &names {
            let is_there = |one: &Value| one.get("name").and_then(Value::text) == Some(name);
            if !parameters.iter().any(is_there) {
                parameters.push(make::map([
                    ("name", (*name).into()),
                    ("in", "path".into()),
                    ("required", true.into()),
                ]));
            }
        }
    }
}

fn add_auth(event: &Event<'_>, api: &Map, body: &mut Map, path: &str, of: &Method<'_>) -> Result<(), Refusal> {
    const IAM: &str = "AWS_IAM";
    let none = Map::new();
    let auth = event.get("Auth").and_then(Value::map).unwrap_or(&none);
    let default = api.get_true("DefaultAuthorizer");
    let authorizer = auth.get_true("Authorizer");
    let has_iam = api.get("EnableIamAuthorizer").and_then(Value::truth) == Some(true);
    if let Some(name) = authorizer.and_then(Value::text) {
        let declared = api.get_true("Authorizers").and_then(Value::map);
        let of = format!("on API method [{}] for path [{path}]", of.shown);
        let is_known = declared.is_some_and(|all| all.has(name)) || (name == IAM && has_iam);
        let sentence = match name {
            "NONE" if default.is_some() => None,
            "NONE" => Some(format!(
                "Unable to set Authorizer {of} because 'NONE' is only a valid value when a DefaultAuthorizer on the API is specified."
            )),
            _ if is_known => None,
            _ if declared.is_none() => Some(format!(
                "Unable to set Authorizer [{name}] {of} because the related API does not define any Authorizers."
            )),
            _ => Some(format!(
                "Unable to set Authorizer [{name}] {of} because it wasn't defined in the API's Authorizers."
            )),
        };
        if let Some(sentence) = sentence {
            let refusal = Refusal::new(sentence).at(authorizer.and_then(Value::origin)).about(name);
            return Err(refusal.among(declared.unwrap_or(&none).keys()));
        }
    }
    if auth.is_empty() {
        return Ok(());
    }
    // Scopes without an authorizer are those of the default.
    let scopes = auth.get_true("AuthorizationScopes");
    let Some(authorizer) = authorizer.or(default) else {
        let sentence = "'Auth' section requires either an explicit 'Authorizer' set or a 'DefaultAuthorizer' configured on the HttpApi.";
        return Err(Refusal::new(sentence).at(event.get("Auth").and_then(Value::origin)));
    };
    let declared = authorizer.text().and_then(|name| api.get("Authorizers")?.get(name));
    let declared = declared.and_then(|own| own.get("AuthorizationScopes")).filter(|scopes| scopes.is_true());
    let scopes = scopes.or(declared).cloned().unwrap_or_else(|| Vec::new().into());
    for operation in openapi::methods_mut(body, path, of.key) {
        rest::require(operation, authorizer, scopes.clone());
    }
    Ok(())
}
