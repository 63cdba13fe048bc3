//! Lists parts of a template that are not served as they are deployed (reference/local.md#not-served).

use std::collections::BTreeMap;

use super::apis;
use crate::project::Project;

/// Returns the notes for the start of a server: APIs that are not served, and routes without their authorization.
pub fn notes(project: &Project) -> Vec<String> {
    let mut found = Vec::new();
    for (prefix, resources) in &project.resources {
        for (id, resource) in resources {
            if resource["Type"] == "AWS::ApiGatewayV2::Api" && resource["Properties"]["ProtocolType"] == "WEBSOCKET" {
                let what = "start-api serves REST APIs, HTTP APIs and function URLs";
                found.push(format!("the WebSocket API {prefix}{id} is not served: {what}"));
            }
        }
    }
    for api in apis(project) {
        let mut open: BTreeMap<&str, usize> = BTreeMap::new();
        for route in &api.routes {
            if let Some(name) = &route.open {
                *open.entry(name).or_default() += 1;
            }
        }
        for (name, count) in open {
            let routes = if count == 1 { "1 route is open".to_owned() } else { format!("{count} routes are open") };
            let what = "only Lambda authorizers run on this machine";
            found.push(format!("{routes} in {} without {name}: {what}", api.id));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_is_not_as_deployed_is_named() {
        let resources = json!({
            "Chat": {"Type": "AWS::ApiGatewayV2::Api", "Properties": {"ProtocolType": "WEBSOCKET"}},
            "Web": {"Type": "AWS::Serverless::HttpApi", "Properties": {"Auth": {
                "DefaultAuthorizer": "Users", "Authorizers": {"Users": {"JwtConfiguration": {}}, "Own": {"FunctionArn": "F.Arn"}},
            }}},
            "F": {"Type": "AWS::Serverless::Function", "Properties": {
                "FunctionUrlConfig": {"AuthType": "AWS_IAM"},
                "Events": {
                    "A": {"Type": "HttpApi", "Properties": {"ApiId": "Web", "Path": "/a", "Method": "get"}},
                    "B": {"Type": "HttpApi", "Properties": {"ApiId": "Web", "Path": "/b", "Method": "get"}},
                    "C": {"Type": "HttpApi", "Properties": {"ApiId": "Web", "Path": "/c", "Method": "get", "Auth": {"Authorizer": "NONE"}}},
                    "D": {"Type": "HttpApi", "Properties": {"ApiId": "Web", "Path": "/d", "Method": "get", "Auth": {"Authorizer": "Own"}}},
                },
            }},
            "Raw": {"Type": "AWS::ApiGateway::RestApi"},
            "M": {"Type": "AWS::ApiGateway::Method", "Properties": {
                "RestApiId": "Raw", "ResourceId": "Raw.RootResourceId", "HttpMethod": "GET", "AuthorizationType": "AWS_IAM",
                "Integration": {"Type": "AWS_PROXY", "Uri": "arn:aws:apigateway:r:lambda:path/2015-03-31/functions/F.Arn/invocations"},
            }},
        });
        let Value::Object(resources) = resources else { return };
        let project = Project { resources: vec![("S/".to_owned(), resources)], ..Project::default() };
        let only = "only Lambda authorizers run on this machine";
        assert_eq!(
            notes(&project),
            [
                "the WebSocket API S/Chat is not served: start-api serves REST APIs, HTTP APIs and function URLs"
                    .to_owned(),
                format!("2 routes are open in S/Web without the authorizer Users: {only}"),
                format!("1 route is open in S/Raw without AWS_IAM: {only}"),
                format!("1 route is open in S/F without AWS_IAM: {only}"),
            ]
        );
    }
}
