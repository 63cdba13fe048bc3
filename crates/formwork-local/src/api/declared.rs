//! Lists the declared routes of APIs, whether or not a local function answers them (reference/around.md#endpoints).

use serde_json::{Map, Value};

use super::Kind;
use super::collect::{EMPTY, Template, event_key, text};
use super::openapi::operations;
use crate::project::Project;

/// The types of resources that an API calls for an event.
const CALLED: [&str; 2] = ["AWS::Serverless::Function", "AWS::Serverless::StateMachine"];

/// A REST or HTTP API with all its routes, including those without an integration and those that call no function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredApi {
    /// Logical ID, prefixed with the path of nested stacks.
    pub id: String,
    /// The method in upper case, `ANY` for all, and the path of each route.
    pub routes: Vec<(String, String)>,
}

/// Returns the REST and HTTP APIs of a project, in the order of the templates.
pub fn declared_apis(project: &Project) -> Vec<DeclaredApi> {
    project.resources.iter().flat_map(|(prefix, resources)| Template { prefix, resources }.declared()).collect()
}

impl Template<'_> {
    fn declared(&self) -> Vec<DeclaredApi> {
        let mut found = Vec::new();
        for (id, properties) in self.of("AWS::Serverless::Api") {
            found.push(self.declared_api(id, properties.get("DefinitionBody"), self.declared_events(id, Kind::Rest)));
        }
        for (id, properties) in self.of("AWS::Serverless::HttpApi") {
            found.push(self.declared_api(id, properties.get("DefinitionBody"), self.declared_events(id, Kind::Http)));
        }
        for (id, properties) in self.of("AWS::ApiGateway::RestApi") {
            found.push(self.declared_api(id, properties.get("Body"), self.declared_methods(id)));
        }
        for (id, properties) in self.of("AWS::ApiGatewayV2::Api") {
            if text(properties, "ProtocolType").as_deref() != Some("WEBSOCKET") {
                found.push(self.declared_api(id, properties.get("Body"), self.declared_keys(id, properties)));
            }
        }
        found
    }

    fn declared_api(&self, id: &str, document: Option<&Value>, others: Vec<(String, String)>) -> DeclaredApi {
        let mut routes: Vec<(String, String)> =
            operations(document.unwrap_or(EMPTY)).map(|(method, path, _)| (method, path.clone())).collect();
        routes.extend(others);
        DeclaredApi { id: format!("{}{id}", self.prefix), routes }
    }

    /// Returns the routes of the events of functions and state machines.
    fn declared_events(&self, api: &str, kind: Kind) -> Vec<(String, String)> {
        let called = CALLED.iter().flat_map(|kind| self.of(kind));
        let events = called.filter_map(|(_, properties)| properties.get("Events")?.as_object()).flat_map(Map::values);
        events.filter_map(|event| event_key(api, kind, event)).collect()
    }

    fn declared_methods(&self, api: &str) -> Vec<(String, String)> {
        let all = self.referring("AWS::ApiGateway::Method", "RestApiId", api);
        let routes = all.filter_map(|(_, method)| {
            let path = self.resource_path(api, &text(method, "ResourceId")?)?;
            Some((text(method, "HttpMethod").unwrap_or_default().to_uppercase(), path))
        });
        routes.collect()
    }

    /// Returns the routes of `AWS::ApiGatewayV2::Route`s, and that of an API with a `Target`.
    fn declared_keys(&self, api: &str, properties: &Value) -> Vec<(String, String)> {
        let own =
            text(properties, "Target").map(|_| text(properties, "RouteKey").unwrap_or_else(|| "$default".to_owned()));
        let routes = self.referring("AWS::ApiGatewayV2::Route", "ApiId", api);
        let keys = own.into_iter().chain(routes.filter_map(|(_, route)| text(route, "RouteKey")));
        let route = |key: String| match key.split_once(' ') {
            Some((method, path)) => (method.to_uppercase(), path.trim().to_owned()),
            None => ("ANY".to_owned(), key),
        };
        keys.map(route).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::api::apis;

    #[test]
    fn every_route_is_declared_and_those_of_functions_are_served() {
        let uri = "arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/F.Arn/invocations";
        let resources = json!({
            "F": {"Type": "AWS::Serverless::Function", "Properties": {"Events": {
                "A": {"Type": "Api", "Properties": {"RestApiId": "Rest", "Path": "/a", "Method": "get"}},
            }}},
            "Flow": {"Type": "AWS::Serverless::StateMachine", "Properties": {"Events": {
                "S": {"Type": "Api", "Properties": {"RestApiId": "Rest", "Path": "/flow", "Method": "post"}},
            }}},
            "Rest": {"Type": "AWS::Serverless::Api", "Properties": {"DefinitionBody": {"paths": {
                "/mock": {"get": {"x-amazon-apigateway-integration": {"type": "mock"}}, "parameters": []},
                "/bare": {"x-amazon-apigateway-any-method": {}, "post": {"responses": {}}},
            }}}},
            "Raw": {"Type": "AWS::ApiGateway::RestApi"},
            "Mock": {"Type": "AWS::ApiGateway::Method", "Properties": {
                "RestApiId": "Raw", "ResourceId": "Raw.RootResourceId", "HttpMethod": "OPTIONS",
                "Integration": {"Type": "MOCK"},
            }},
            "Own": {"Type": "AWS::ApiGateway::Method", "Properties": {
                "RestApiId": "Raw", "ResourceId": "Raw.RootResourceId", "HttpMethod": "GET",
                "Integration": {"Type": "AWS_PROXY", "Uri": uri},
            }},
            "Http": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"ProtocolType": "HTTP"}},
            "Route": {"Type": "AWS::ApiGatewayV2::Route", "Properties": {"ApiId": "Http", "RouteKey": "GET /x"}},
            "Rest2": {"Type": "AWS::ApiGatewayV2::Route", "Properties": {"ApiId": "Http", "RouteKey": "$default"}},
            "Empty": {"Type": "AWS::ApiGateway::RestApi"},
            "Chat": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"ProtocolType": "WEBSOCKET"}},
        });
        let Value::Object(resources) = resources else { return };
        let project = Project { resources: vec![("S/".to_owned(), resources)], ..Project::default() };
        let shown = |api: &DeclaredApi| {
            let routes: Vec<String> = api.routes.iter().map(|(method, path)| format!("{method} {path}")).collect();
            format!("{}: {}", api.id, routes.join(", "))
        };
        let declared: Vec<String> = declared_apis(&project).iter().map(shown).collect();
        assert_eq!(
            declared,
            [
                "S/Rest: GET /mock, ANY /bare, POST /bare, GET /a, POST /flow",
                "S/Raw: OPTIONS /, GET /",
                "S/Empty: ",
                "S/Http: GET /x, ANY $default",
            ]
        );
        let served: usize = apis(&project).iter().map(|api| api.routes.len()).sum();
        assert_eq!(served, 2, "one of an event and one of a method");
    }
}
