//! `Auth` of an API of the second version: authorizers and the default.

use super::refuse;
use crate::api::authorizer_permission;
use crate::context::{Context, Input};
use crate::make;
use crate::openapi::INTEGRATION;

use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

const IAM: &str = "AWS_IAM";
const KEYS: [&str; 3] = ["Authorizers", "DefaultAuthorizer", "EnableIamAuthorizer"];

/// Adds the authorizers of an API to its body.
pub(super) fn add(cx: &Context, input: &Input, body: &mut Map, permissions: &mut Vec<Resource>) -> Result<(), Refusal> {
    let Some(auth) = input.get("Auth").and_then(Value::map) else { return Ok(()) };
    if let Some(unknown) = auth.keys().find(|key| !KEYS.contains(key)) {
        return Err(refuse("Invalid value for 'Auth' property", auth.key(unknown)).about(unknown).among(KEYS));
    }
    let none = Map::new();
    let own = match auth.get_true("Authorizers") {
        Some(own) => own.map().ok_or_else(|| refuse("Authorizers must be a dictionary.", own.origin()))?,
        None => &none,
    };
    let has_iam = auth.get("EnableIamAuthorizer").and_then(Value::truth) == Some(true);
    let mut schemes = Map::new();
    for (name, key, authorizer) in own.members() {
        schemes.set_with_key(name, key, scheme(cx, name, authorizer)?.at(authorizer.origin()));
        permissions.extend(authorizer.map().and_then(|one| permission(input, name, one)));
    }
    if has_iam {
        schemes.set(IAM, iam());
    }
    let default = auth.get_true("DefaultAuthorizer");
    if let Some(default) = default {
        check_default(&schemes, default)?;
    }
    if schemes.is_empty() {
        return Ok(());
    }
    let all = body.entry("components", Map::new()).as_map().entry("securitySchemes", Map::new()).as_map();
    for (name, key, scheme) in schemes.members() {
        all.set_with_key(name, key, scheme.clone());
    }
    if let Some(default) = default {
        set_default(body, own, &schemes, default);
    }
    Ok(())
}

fn check_default(schemes: &Map, default: &Value) -> Result<(), Refusal> {
    let Some(name) = default.text() else {
        return Err(refuse("Property 'Auth.DefaultAuthorizer' should be a string.", default.origin()));
    };
    if schemes.has(name) {
        return Ok(());
    }
    let sentence = format!("Unable to set DefaultAuthorizer because '{name}' was not defined in 'Authorizers'.");
    Err(refuse(sentence, default.origin()).about(name).among(schemes.keys()))
}

fn iam() -> Value {
    make::map([
        ("type", "apiKey".into()),
        ("name", "Authorization".into()),
        ("in", "header".into()),
        ("x-amazon-apigateway-authtype", "awsSigv4".into()),
    ])
}

fn set_default(body: &mut Map, own: &Map, schemes: &Map, default: &Value) {
    let name = default.text().unwrap_or_default();
    let scopes = own.get(name).and_then(|own| own.get("AuthorizationScopes")).filter(|scopes| scopes.is_true());
    let scopes = scopes.cloned().unwrap_or_else(|| Vec::new().into());
    crate::api::each_operation(body, &mut |method, operation| {
        let security = operation.get("security").and_then(Value::list).unwrap_or_default();
        let is_known = |one: &str| one == "NONE" || schemes.has(one);
        let is_set = security.iter().filter_map(Value::map).flat_map(Map::keys).any(is_known);
        if method == "options" || is_set || !operation.has(INTEGRATION) {
            return;
        }
        let mut requirement = Map::new();
        requirement.set_with_key(name, default.origin(), scopes.clone());
        operation.entry("security", Vec::new()).as_list().push(requirement.into());
    });
}

fn scheme(cx: &Context, name: &str, authored: &Value) -> Result<Value, Refusal> {
    let Some(own) = authored.map() else {
        return Err(refuse(format!("Authorizer {name} must be a dictionary."), authored.origin()));
    };
    let source = own.get_true("IdentitySource");
    if let Some(jwt) = own.get_true("JwtConfiguration") {
        if source.is_none() {
            let sentence = format!("{name} OAuth2 Authorizer must define 'IdentitySource'.");
            return Err(refuse(sentence, authored.origin()));
        }
        let mut authorizer = Map::new();
        authorizer.set("jwtConfiguration", lowered(jwt));
        authorizer.set_some("identitySource", source.cloned());
        authorizer.set("type", "jwt");
        return Ok(make::map([("type", "oauth2".into()), ("x-amazon-apigateway-authorizer", authorizer.into())]));
    }
    if let Some(source) = source {
        let sentence = "IdentitySource is only supported for OAuth2 Authorizer. For Lambda Authorizer, use the 'Identity' property instead.";
        return Err(refuse(sentence, source.origin()));
    }
    for needed in ["FunctionArn", "AuthorizerPayloadFormatVersion"] {
        if own.get_true(needed).is_none() {
            let sentence = format!("{name} Lambda Authorizer must define '{needed}'.");
            return Err(refuse(sentence, authored.origin()));
        }
    }
    Ok(make::map([
        ("type", "apiKey".into()),
        ("name", "Unused".into()),
        ("in", "header".into()),
        ("x-amazon-apigateway-authorizer", lambda(cx, own).into()),
    ]))
}

/// Returns the configuration with keys that begin with small letters.
fn lowered(jwt: &Value) -> Value {
    let Some(map) = jwt.map() else { return jwt.clone() };
    let mut new = Map::new();
    for (name, key, value) in map.members() {
        let mut rest = name.chars();
        let lower: String = rest.next().into_iter().flat_map(char::to_lowercase).chain(rest).collect();
        new.set_with_key(&lower, key, value.clone());
    }
    Value::from(new).at(jwt.origin())
}

/// Parts of a request that identify the caller, with their names in the document.
const SOURCES: [(&str, &str); 4] = [
    ("Headers", "$request.header."),
    ("QueryStrings", "$request.querystring."),
    ("StageVariables", "$stageVariables."),
    ("Context", "$context."),
];

fn lambda(cx: &Context, own: &Map) -> Map {
    let mut authorizer = Map::new();
    authorizer.set("type", "request");
    let uri = format!(
        "arn:{}:apigateway:${{AWS::Region}}:lambda:path/2015-03-31/functions/${{__FunctionArn__}}/invocations",
        cx.parameters.partition
    );
    let function = own.get("FunctionArn").cloned().unwrap_or_default();
    authorizer.set("authorizerUri", make::sub_with(&uri, [("__FunctionArn__", function)]));
    authorizer.set_some("authorizerCredentials", own.get_true("FunctionInvokeRole").cloned());
    let identity = own.get("Identity").and_then(Value::map);
    if let Some(identity) = identity {
        authorizer.set_some(
            "authorizerResultTtlInSeconds",
            identity.get("ReauthorizeEvery").filter(|every| !every.is_null()).cloned(),
        );
        let mut sources = Vec::new();
        for (name, prefix) in SOURCES {
            let names = identity.get(name).and_then(Value::list).unwrap_or_default();
            let with_prefix = |one: &Value| Some(Value::from(format!("{prefix}{}", one.text()?)).at(one.origin()));
            sources.extend(names.iter().filter_map(with_prefix));
        }
        if !sources.is_empty() {
            authorizer.set("identitySource", sources);
        }
    }
    authorizer.set_some("authorizerPayloadFormatVersion", own.get("AuthorizerPayloadFormatVersion").cloned());
    authorizer.set_some("enableSimpleResponses", own.get_true("EnableSimpleResponses").cloned());
    authorizer
}

/// Returns the permission of an authorizer that asks for it.
fn permission(input: &Input, name: &str, own: &Map) -> Option<Resource> {
    if !own.get("EnableFunctionDefaultPermissions").is_some_and(Value::is_true) {
        return None;
    }
    authorizer_permission(input, name, own, "${AWS::Partition}")
}
