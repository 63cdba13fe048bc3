//! Collects the APIs of evaluated templates (reference/local.md#routes).

use std::sync::Arc;

use serde_json::{Map, Value};

use super::authorizer::Authorizer;
use super::cors::Cors;
use super::function_id::function_of;
use super::{Api, Format, InvokeMode, Kind, Route, openapi};
use crate::localize::{residual_text, scalar_text};
use crate::project::Project;

/// Returns the APIs of a project, in the order of the templates; APIs without routes are omitted.
pub fn apis(project: &Project) -> Vec<Api> {
    let mut found: Vec<Api> = Vec::new();
    for (prefix, resources) in &project.resources {
        found.extend(Template { prefix, resources }.apis());
    }
    found.retain(|api| !api.routes.is_empty());
    found
}

pub(super) struct Template<'a> {
    /// The path of nested stacks, such as `Stack/`.
    pub(super) prefix: &'a str,
    pub(super) resources: &'a Map<String, Value>,
}

pub(super) const EMPTY: &Value = &Value::Null;

pub(super) fn text(properties: &Value, name: &str) -> Option<String> {
    properties.get(name).and_then(scalar_text)
}

fn pairs(value: Option<&Value>) -> Vec<(String, String)> {
    let object = value.and_then(Value::as_object).into_iter().flatten();
    object.map(|(name, value)| (name.clone(), residual_text(value))).collect()
}

fn list(value: Option<&Value>) -> Vec<String> {
    value.and_then(Value::as_array).into_iter().flatten().map(residual_text).collect()
}

/// Describes an authorization that does not run locally.
fn open(name: &str) -> String {
    if name == "AWS_IAM" { name.to_owned() } else { format!("the authorizer {name}") }
}

/// Returns the method and path of an event, if it belongs to this API.
pub(super) fn event_key(api: &str, kind: Kind, event: &Value) -> Option<(String, String)> {
    let (of, named, implicit) = match kind {
        Kind::Rest => ("Api", "RestApiId", "ServerlessRestApi"),
        Kind::Http => ("HttpApi", "ApiId", "ServerlessHttpApi"),
    };
    let properties = event.get("Properties").unwrap_or(EMPTY);
    let owner = properties.get(named).map_or_else(|| implicit.to_owned(), residual_text);
    if event["Type"] != of || owner != api {
        return None;
    }
    let method = text(properties, "Method").map_or_else(|| "ANY".to_owned(), |method| method.to_uppercase());
    let method = if method == "*" || method == "X-AMAZON-APIGATEWAY-ANY-METHOD" { "ANY".to_owned() } else { method };
    let path = text(properties, "Path");
    if kind == Kind::Rest && path.is_none() {
        return None;
    }
    Some((method, path.unwrap_or_else(|| "$default".to_owned())))
}

fn authorization(properties: &Value, property: &str) -> Option<String> {
    let kind = text(properties, property).filter(|kind| !kind.eq_ignore_ascii_case("NONE"))?;
    Some(text(properties, "AuthorizerId").map_or(kind, |name| open(&name)))
}

impl Template<'_> {
    pub(super) fn of(&self, kind: &str) -> impl Iterator<Item = (&String, &Value)> {
        let all = self.resources.iter().filter(move |(_, resource)| resource["Type"] == kind);
        all.map(|(id, resource)| (id, resource.get("Properties").unwrap_or(EMPTY)))
    }

    /// Returns the resources of a type whose `property` refers to `id`.
    pub(super) fn referring<'s>(
        &'s self,
        kind: &str,
        property: &'s str,
        id: &'s str,
    ) -> impl Iterator<Item = (&'s String, &'s Value)> {
        self.of(kind).filter(move |(_, properties)| text(properties, property).as_deref() == Some(id))
    }

    fn apis(&self) -> Vec<Api> {
        let mut found = Vec::new();
        for (id, properties) in self.of("AWS::Serverless::Api") {
            found.push(self.serverless(id, properties, Kind::Rest));
        }
        for (id, properties) in self.of("AWS::Serverless::HttpApi") {
            found.push(self.serverless(id, properties, Kind::Http));
        }
        for (id, properties) in self.of("AWS::ApiGateway::RestApi") {
            found.push(self.rest(id, properties));
        }
        for (id, properties) in self.of("AWS::ApiGatewayV2::Api") {
            if text(properties, "ProtocolType").as_deref() != Some("WEBSOCKET") {
                found.push(self.http(id, properties));
            }
        }
        for (id, properties) in self.of("AWS::Serverless::Function") {
            if let Some(declared) = properties.get("FunctionUrlConfig").filter(|value| value.is_object()) {
                found.push(self.function_url(id, format!("{}{id}", self.prefix), declared));
            }
        }
        for (id, properties) in self.of("AWS::Lambda::Url") {
            let function = text(properties, "TargetFunctionArn").and_then(|name| function_of(&name, self.prefix));
            found.extend(function.map(|function| self.function_url(id, function, properties)));
        }
        found
    }

    fn api(&self, id: &str, kind: Kind, stage: &str, document: &Value) -> Api {
        Api {
            id: format!("{}{id}", self.prefix),
            kind,
            function_url: None,
            stage: stage.to_owned(),
            variables: Vec::new(),
            binary: list(document.get("x-amazon-apigateway-binary-media-types")),
            cors: document.get("x-amazon-apigateway-cors").and_then(Cors::of_http),
            routes: openapi::routes(document, kind, self.prefix),
        }
    }

    /// Returns the API of a function URL: one route for all requests.
    fn function_url(&self, id: &str, function: String, declared: &Value) -> Api {
        let mut api = self.api(id, Kind::Http, "$default", EMPTY);
        let is_streamed = text(declared, "InvokeMode").as_deref() == Some("RESPONSE_STREAM");
        api.function_url = Some(if is_streamed { InvokeMode::Streamed } else { InvokeMode::Buffered });
        api.cors = declared.get("Cors").and_then(Cors::of_http);
        api.routes.push(Route {
            method: "ANY".to_owned(),
            path: "$default".to_owned(),
            function,
            format: Format::V2,
            operation: None,
            authorizer: None,
            open: text(declared, "AuthType").filter(|kind| kind != "NONE"),
        });
        api
    }

    fn serverless(&self, id: &str, properties: &Value, kind: Kind) -> Api {
        let document = properties.get("DefinitionBody").unwrap_or(EMPTY);
        let stage = if kind == Kind::Rest { "Prod" } else { "$default" };
        let mut api = self.api(id, kind, stage, document);
        api.stage = text(properties, "StageName").unwrap_or(api.stage);
        api.variables = pairs(properties.get(if kind == Kind::Rest { "Variables" } else { "StageVariables" }));
        api.binary.extend(list(properties.get("BinaryMediaTypes")).iter().map(|one| one.replace("~1", "/")));
        api.cors = match kind {
            Kind::Rest => properties.get("Cors").and_then(Cors::of_rest),
            Kind::Http => properties.get("CorsConfiguration").and_then(Cors::of_http),
        }
        .or(api.cors);
        let auth = properties.get("Auth").unwrap_or(EMPTY);
        let authorizers = self.serverless_authorizers(auth, kind);
        let default = text(auth, "DefaultAuthorizer");
        for (function, resource) in self.of("AWS::Serverless::Function") {
            for event in resource.get("Events").and_then(Value::as_object).into_iter().flat_map(Map::values) {
                api.routes.extend(self.event(id, kind, function, event, &authorizers, default.as_deref()));
            }
        }
        api
    }

    fn serverless_authorizers(&self, auth: &Value, kind: Kind) -> Vec<Arc<Authorizer>> {
        let declared = auth.get("Authorizers").and_then(Value::as_object).into_iter().flatten();
        let made = declared.filter_map(|(name, value)| {
            let function = function_of(&residual_text(value.get("FunctionArn")?), self.prefix)?;
            Some(Arc::new(Authorizer::of_serverless(name, value, function, kind == Kind::Rest)))
        });
        made.collect()
    }

    /// Returns the route of an event, if it belongs to the API.
    fn event(
        &self,
        api: &str,
        kind: Kind,
        function: &str,
        event: &Value,
        authorizers: &[Arc<Authorizer>],
        default: Option<&str>,
    ) -> Option<Route> {
        let (method, path) = event_key(api, kind, event)?;
        let properties = event.get("Properties").unwrap_or(EMPTY);
        let wanted = properties.get("Auth").and_then(|auth| text(auth, "Authorizer"));
        let wanted = wanted.as_deref().or(default).filter(|name| *name != "NONE");
        let version = text(properties, "PayloadFormatVersion");
        let authorizer = wanted.and_then(|name| authorizers.iter().find(|one| one.name == name)).cloned();
        let open = wanted.filter(|_| authorizer.is_none()).map(open);
        Some(Route {
            method,
            path,
            function: format!("{}{function}", self.prefix),
            format: if kind == Kind::Rest || version.as_deref() == Some("1.0") { Format::V1 } else { Format::V2 },
            operation: None,
            authorizer,
            open,
        })
    }

    fn rest(&self, id: &str, properties: &Value) -> Api {
        let mut api = self.api(id, Kind::Rest, "Prod", properties.get("Body").unwrap_or(EMPTY));
        api.binary.extend(list(properties.get("BinaryMediaTypes")).iter().map(|one| one.replace("~1", "/")));
        if let Some((_, stage)) = self.referring("AWS::ApiGateway::Stage", "RestApiId", id).next() {
            api.stage = text(stage, "StageName").unwrap_or(api.stage);
            api.variables = pairs(stage.get("Variables"));
        } else {
            let deployments = self.referring("AWS::ApiGateway::Deployment", "RestApiId", id);
            let mut names = deployments.filter_map(|(_, deployment)| text(deployment, "StageName"));
            api.stage = names.next().unwrap_or(api.stage);
        }
        for (_, method) in self.referring("AWS::ApiGateway::Method", "RestApiId", id) {
            let integration = method.get("Integration").unwrap_or(EMPTY);
            let is_proxy = text(integration, "Type").as_deref() == Some("AWS_PROXY");
            let function = text(integration, "Uri").and_then(|uri| function_of(&uri, self.prefix));
            let path = text(method, "ResourceId").and_then(|resource| self.resource_path(id, &resource));
            let (Some(function), Some(path), true) = (function, path, is_proxy) else { continue };
            let authorizer = text(method, "AuthorizerId").and_then(|name| {
                let declared = self.resources.get(&name)?.get("Properties")?;
                let function = function_of(&text(declared, "AuthorizerUri")?, self.prefix)?;
                Authorizer::of_rest(&name, declared, function)
            });
            api.routes.push(Route {
                method: text(method, "HttpMethod").unwrap_or_default().to_uppercase(),
                path,
                function,
                format: Format::V1,
                operation: text(method, "OperationName"),
                open: authorization(method, "AuthorizationType").filter(|_| authorizer.is_none()),
                authorizer: authorizer.map(Arc::new),
            });
        }
        api
    }

    pub(super) fn resource_path(&self, api: &str, resource: &str) -> Option<String> {
        const MOST: usize = 64;
        let (mut parts, mut at) = (Vec::new(), resource.to_owned());
        while at != format!("{api}.RootResourceId") {
            let properties = self.resources.get(&at)?.get("Properties")?;
            parts.push(text(properties, "PathPart")?);
            at = text(properties, "ParentId")?;
            if parts.len() > MOST {
                return None;
            }
        }
        parts.reverse();
        Some(format!("/{}", parts.join("/")))
    }

    fn http(&self, id: &str, properties: &Value) -> Api {
        let mut api = self.api(id, Kind::Http, "$default", properties.get("Body").unwrap_or(EMPTY));
        api.cors = properties.get("CorsConfiguration").and_then(Cors::of_http).or(api.cors);
        if let Some((_, stage)) = self.referring("AWS::ApiGatewayV2::Stage", "ApiId", id).next() {
            api.stage = text(stage, "StageName").unwrap_or(api.stage);
            api.variables = pairs(stage.get("StageVariables"));
        }
        let route = |key: &str, function: String, format, authorizer| {
            let (method, path) = key.split_once(' ').unwrap_or(("ANY", key));
            let (method, path) = (method.to_uppercase(), path.trim().to_owned());
            Route { method, path, function, format, operation: None, authorizer, open: None }
        };
        if let Some(function) = text(properties, "Target").and_then(|target| function_of(&target, self.prefix)) {
            let key = text(properties, "RouteKey").unwrap_or_else(|| "$default".to_owned());
            api.routes.push(route(&key, function, Format::V2, None));
        }
        for (_, declared) in self.referring("AWS::ApiGatewayV2::Route", "ApiId", id) {
            let target = text(declared, "Target").unwrap_or_default();
            let name = target.strip_prefix("integrations/").unwrap_or(&target).to_owned();
            let integration = self.resources.get(&name).and_then(|resource| resource.get("Properties"));
            let Some(integration) = integration else { continue };
            let is_proxy = text(integration, "IntegrationType").as_deref() == Some("AWS_PROXY");
            let function = text(integration, "IntegrationUri").and_then(|uri| function_of(&uri, self.prefix));
            let (Some(function), Some(key), true) = (function, text(declared, "RouteKey"), is_proxy) else { continue };
            let authorizer = text(declared, "AuthorizerId").and_then(|name| {
                let declared = self.resources.get(&name)?.get("Properties")?;
                let function = function_of(&text(declared, "AuthorizerUri")?, self.prefix)?;
                Authorizer::of_http(&name, declared, function)
            });
            let is_v1 = text(integration, "PayloadFormatVersion").as_deref() == Some("1.0");
            let format = if is_v1 { Format::V1 } else { Format::V2 };
            let open = authorization(declared, "AuthorizationType").filter(|_| authorizer.is_none());
            api.routes.push(Route { open, ..route(&key, function, format, authorizer.map(Arc::new)) });
        }
        api
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn collected(resources: Value) -> Vec<Api> {
        let Value::Object(resources) = resources else { return Vec::new() };
        apis(&Project { resources: vec![(String::new(), resources)], ..Project::default() })
    }

    fn shown(api: &Api) -> Vec<String> {
        api.routes.iter().map(|route| format!("{} {} {}", route.method, route.path, route.function)).collect()
    }

    #[test]
    fn events_of_serverless_functions() {
        let found = collected(json!({
            "ServerlessRestApi": {"Type": "AWS::Serverless::Api", "Properties": {
                "StageName": "Prod", "BinaryMediaTypes": ["image~1png"], "Variables": {"v": 1},
                "Auth": {"DefaultAuthorizer": "T", "Authorizers": {"T": {"FunctionArn": "Check.Arn"}}},
            }},
            "Web": {"Type": "AWS::Serverless::HttpApi", "Properties": {"CorsConfiguration": true}},
            "F": {"Type": "AWS::Serverless::Function", "Properties": {"Events": {
                "A": {"Type": "Api", "Properties": {"Path": "/a", "Method": "get"}},
                "B": {"Type": "Api", "Properties": {"Path": "/b", "Method": "any", "Auth": {"Authorizer": "NONE"}}},
                "C": {"Type": "HttpApi", "Properties": {"ApiId": "Web", "Path": "/c", "Method": "POST", "PayloadFormatVersion": "1.0"}},
                "D": {"Type": "HttpApi", "Properties": {"ApiId": "Web"}},
                "E": {"Type": "Schedule"},
            }}},
        }));
        let [rest, http] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(shown(rest), ["GET /a F", "ANY /b F"]);
        assert_eq!((rest.binary.as_slice(), rest.variable("v")), (&["image/png".to_owned()][..], Some("1")));
        let authorizer = rest.routes[0].authorizer.as_ref().map(|one| one.function.as_str());
        assert_eq!((authorizer, rest.routes[1].authorizer.is_none()), (Some("Check"), true));
        assert_eq!(shown(http), ["POST /c F", "ANY $default F"]);
        assert_eq!((http.routes[0].format, http.routes[1].format), (Format::V1, Format::V2));
        assert!(http.cors.is_some());
    }

    #[test]
    fn function_urls_have_one_route() {
        let found = collected(json!({
            "F": {"Type": "AWS::Serverless::Function", "Properties": {"FunctionUrlConfig": {
                "AuthType": "NONE", "InvokeMode": "RESPONSE_STREAM", "Cors": {"AllowOrigins": ["https://a.test"]},
            }}},
            "G": {"Type": "AWS::Lambda::Function"},
            "Url": {"Type": "AWS::Lambda::Url", "Properties": {"TargetFunctionArn": "G.Arn", "AuthType": "AWS_IAM"}},
        }));
        let [first, second] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((first.id.as_str(), shown(first)), ("F", vec!["ANY $default F".to_owned()]));
        assert_eq!((first.function_url, first.routes[0].open.as_deref()), (Some(InvokeMode::Streamed), None));
        assert!(first.cors.is_some());
        assert_eq!((second.id.as_str(), shown(second)), ("Url", vec!["ANY $default G".to_owned()]));
        assert_eq!(
            (second.function_url, second.routes[0].open.as_deref()),
            (Some(InvokeMode::Buffered), Some("AWS_IAM"))
        );
    }

    #[test]
    fn raw_resources_of_both_versions() {
        let uri = "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/F.Arn/invocations";
        let found = collected(json!({
            "R": {"Type": "AWS::ApiGateway::RestApi"},
            "Users": {"Type": "AWS::ApiGateway::Resource", "Properties": {"RestApiId": "R", "ParentId": "R.RootResourceId", "PathPart": "users"}},
            "User": {"Type": "AWS::ApiGateway::Resource", "Properties": {"RestApiId": "R", "ParentId": "Users", "PathPart": "{id}"}},
            "M": {"Type": "AWS::ApiGateway::Method", "Properties": {
                "RestApiId": "R", "ResourceId": "User", "HttpMethod": "GET", "OperationName": "getUser",
                "Integration": {"Type": "AWS_PROXY", "Uri": uri},
            }},
            "S": {"Type": "AWS::ApiGateway::Stage", "Properties": {"RestApiId": "R", "StageName": "live"}},
            "H": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"ProtocolType": "HTTP"}},
            "I": {"Type": "AWS::ApiGatewayV2::Integration", "Properties": {"ApiId": "H", "IntegrationType": "AWS_PROXY", "IntegrationUri": "F.Arn"}},
            "Route": {"Type": "AWS::ApiGatewayV2::Route", "Properties": {"ApiId": "H", "RouteKey": "PUT /x/{id}", "Target": "integrations/I"}},
        }));
        let [rest, http] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((shown(rest), rest.stage.as_str()), (vec!["GET /users/{id} F".to_owned()], "live"));
        assert_eq!(rest.routes[0].operation.as_deref(), Some("getUser"));
        assert_eq!((shown(http), http.routes[0].format), (vec!["PUT /x/{id} F".to_owned()], Format::V2));
    }

    #[test]
    fn functions_of_uris_arns_and_references() {
        let of = |text| function_of(text, "S/");
        assert_eq!(of("F.Arn").as_deref(), Some("S/F"));
        assert_eq!(of("arn:aws:lambda:eu-west-1:1:function:name:live").as_deref(), Some("S/name"));
        let uri = "arn:aws:apigateway:r:lambda:path/2015-03-31/functions/arn:aws:lambda:r:1:function:F/invocations";
        assert_eq!(of(uri).as_deref(), Some("S/F"));
        assert_eq!(of("https://example.com/x"), None);
    }
}
