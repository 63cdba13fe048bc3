//! Routes of `OpenAPI` documents with `x-amazon-apigateway-integration` (reference/local.md#routes).

use std::sync::Arc;

use serde_json::Value;

use super::authorizer::{Authorizer, member};
use super::function_id::function_of;
use super::{Format, Kind, Route};
use crate::localize::{residual_text, scalar_text};

const METHODS: [&str; 7] = ["get", "put", "post", "delete", "options", "head", "patch"];

/// Returns the operations of a document: the method in upper case, the path, and the declaration.
pub(super) fn operations(document: &Value) -> impl Iterator<Item = (String, &String, &Value)> {
    let paths = document.get("paths").and_then(Value::as_object).into_iter().flatten();
    paths.flat_map(|(path, item)| {
        item.as_object().into_iter().flatten().filter_map(move |(key, operation)| {
            let method = match key.as_str() {
                "x-amazon-apigateway-any-method" => "ANY".to_owned(),
                key if METHODS.contains(&key.to_lowercase().as_str()) => key.to_uppercase(),
                _ => return None,
            };
            Some((method, path, operation))
        })
    })
}

/// Returns the routes of a document that call a function. `prefix` is the path of nested stacks.
pub(crate) fn routes(document: &Value, kind: Kind, prefix: &str) -> Vec<Route> {
    let authorizers = authorizers(document, kind, prefix);
    let mut found = Vec::new();
    for (method, path, operation) in operations(document) {
        let Some(integration) = operation.get("x-amazon-apigateway-integration") else { continue };
        let is_proxy =
            integration.get("type").and_then(Value::as_str).is_none_or(|kind| kind.eq_ignore_ascii_case("aws_proxy"));
        let Some(function) = integration.get("uri").and_then(|uri| function_of(&residual_text(uri), prefix)) else {
            continue;
        };
        if !is_proxy {
            continue;
        }
        let security = operation.get("security").or_else(|| document.get("security")).and_then(Value::as_array);
        let mut names = security.into_iter().flatten().filter_map(|one| one.as_object()?.keys().next());
        let names: Vec<&String> = names.by_ref().collect();
        let authorizer = names.iter().find_map(|name| authorizers.iter().find(|one| one.name == **name));
        let open = names.first().filter(|_| authorizer.is_none()).map(|name| format!("the authorizer {name}"));
        let version = integration.get("payloadFormatVersion").and_then(scalar_text);
        found.push(Route {
            method,
            path: path.clone(),
            function,
            format: if kind == Kind::Rest || version.as_deref() == Some("1.0") { Format::V1 } else { Format::V2 },
            operation: operation.get("operationId").and_then(scalar_text),
            authorizer: authorizer.cloned(),
            open,
        });
    }
    found
}

fn authorizers(document: &Value, kind: Kind, prefix: &str) -> Vec<Arc<Authorizer>> {
    let schemes = document.get("securityDefinitions");
    let schemes = schemes.or_else(|| document.get("components")?.get("securitySchemes")).and_then(Value::as_object);
    let mut found = Vec::new();
    for (name, scheme) in schemes.into_iter().flatten() {
        let Some(declared) = scheme.get("x-amazon-apigateway-authorizer") else { continue };
        let function = member(declared, "AuthorizerUri").and_then(|uri| function_of(&residual_text(uri), prefix));
        let Some(function) = function else { continue };
        let mut declared = declared.clone();
        // The header of an API key contains the token.
        if let (Some(header), Value::Object(declared)) = (scheme.get("name").and_then(Value::as_str), &mut declared)
            && kind == Kind::Rest
        {
            declared.entry("identitySource").or_insert_with(|| format!("method.request.header.{header}").into());
        }
        let made = match kind {
            Kind::Rest => Authorizer::of_rest(name, &declared, function),
            Kind::Http => Authorizer::of_http(name, &declared, function),
        };
        found.extend(made.map(Arc::new));
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn routes_with_their_authorizers() {
        let uri = |name: &str| {
            format!("arn:aws:apigateway:us-east-1:lambda:path/2015-03-31/functions/{name}.Arn/invocations")
        };
        let integration = |name: &str| json!({"type": "aws_proxy", "uri": uri(name)});
        let document = json!({
            "paths": {"/a/{id}": {
                "get": {"operationId": "getA", "security": [{"Auth": []}], "x-amazon-apigateway-integration": integration("F")},
                "x-amazon-apigateway-any-method": {"x-amazon-apigateway-integration": integration("G")},
                "post": {"x-amazon-apigateway-integration": {"type": "mock"}},
                "parameters": [],
            }},
            "securityDefinitions": {"Auth": {"name": "X-Token", "x-amazon-apigateway-authorizer": {
                "type": "token", "authorizerUri": uri("Check"),
            }}},
        });
        let found = routes(&document, Kind::Rest, "Stack/");
        let shown: Vec<_> = found.iter().map(|route| (route.method.as_str(), route.function.as_str())).collect();
        assert_eq!(shown, [("GET", "Stack/F"), ("ANY", "Stack/G")]);
        assert_eq!(found[0].operation.as_deref(), Some("getA"));
        let authorizer = found[0].authorizer.as_ref().expect("an authorizer");
        assert_eq!(authorizer.function, "Stack/Check");
        assert_eq!(authorizer.sources, [super::super::authorizer::IdentitySource::Header("X-Token".into())]);
    }
}
