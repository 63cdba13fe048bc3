//! Authorizers of an API.

use formwork_syntax::NodeId;

use crate::context::{Context, Input};
use crate::hash;
use crate::make;
use crate::openapi::ordered;
use crate::openapi::security::definition;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// An authorizer.
pub(super) struct Authorizer {
    pub(super) name: String,
    pub(super) origin: Option<NodeId>,
    pub(super) definition: Value,
    pub(super) scopes: Option<Value>,
    pub(super) permission: Option<Resource>,
}

/// Returns the authorizers of an API.
pub(super) fn read(cx: &Context, input: &Input, auth: &Map) -> Result<Vec<Authorizer>, Refusal> {
    let Some(all) = auth.get_true("Authorizers") else { return Ok(Vec::new()) };
    let Some(map) = all.map() else {
        return Err(Refusal::new("Property 'Auth.Authorizers' should be a map.").at(all.origin()));
    };
    let names = ordered(map);
    names.iter().filter_map(|name| Some(one(cx, input, map, name, map.get(name)?))).collect()
}

fn one(cx: &Context, input: &Input, all: &Map, name: &str, authored: &Value) -> Result<Authorizer, Refusal> {
    let Some(own) = authored.map() else {
        let sentence = format!("Property 'Auth.Authorizers.{name}' should be a map.");
        return Err(Refusal::new(sentence).at(authored.origin()));
    };
    check(name, own).map_err(|refusal| refusal.at(authored.origin()))?;
    let definition = if own.get_true("UserPoolArn").is_some() {
        cognito(own)
    } else {
        lambda(cx, name, own).map_err(|refusal| refusal.at(authored.origin()))?
    };
    Ok(Authorizer {
        name: name.to_owned(),
        origin: all.key(name),
        definition: definition.at(authored.origin()),
        scopes: own.get_true("AuthorizationScopes").cloned(),
        permission: permission(cx, input, name, own),
    })
}

/// Compares the kinds of values with what the translator expects.
fn check(name: &str, own: &Map) -> Result<(), Refusal> {
    let refuse = |sentence: String, at: &Value| Err(Refusal::new(sentence).at(at.origin()));
    if let Some(kind) = own.get_true("FunctionPayloadType")
        && !["TOKEN", "REQUEST"].contains(&kind.text().unwrap_or_default())
    {
        let shown = hash::python_str(&kind.into());
        return refuse(format!("{name} Authorizer has invalid 'FunctionPayloadType': {shown}."), kind);
    }
    if let Some(is_off) = own.get("DisableFunctionDefaultPermissions")
        && !is_off.is_null()
        && is_off.truth().is_none()
    {
        let sentence = format!("Property 'Authorizers.{name}.DisableFunctionDefaultPermissions' should be a boolean.");
        return refuse(sentence, is_off);
    }
    if let Some(scopes) = own.get_true("AuthorizationScopes").filter(|scopes| scopes.list().is_none()) {
        return refuse(format!("Property 'Authorizers.{name}.AuthorizationScopes' should be a list."), scopes);
    }
    let Some(identity) = own.get_true("Identity") else { return Ok(()) };
    if identity.map().is_none() {
        let sentence = "Auth.Authorizers.<Authorizer>.Identity must be a dict (LambdaTokenAuthorizationIdentity, LambdaRequestAuthorizationIdentity or CognitoAuthorizationIdentity).";
        return refuse(sentence.to_owned(), identity);
    }
    if own.get("FunctionPayloadType").and_then(Value::text) != Some("REQUEST") {
        return Ok(());
    }
    for (word, _) in SOURCES {
        if let Some(names) = identity.get_true(word).filter(|names| names.list().is_none()) {
            return refuse(format!("Property 'Auth.Authorizers.{name}.Identity.{word}' should be a list."), names);
        }
    }
    Ok(())
}

fn identity<'o>(own: &'o Map, name: &str) -> Option<&'o Value> {
    own.get("Identity")?.get(name).filter(|value| value.is_true())
}

fn header(own: &Map) -> Value {
    identity(own, "Header").cloned().unwrap_or_else(|| "Authorization".into())
}

fn cognito(own: &Map) -> Value {
    const KIND: &str = "cognito_user_pools";
    let pools = own.get("UserPoolArn").cloned().unwrap_or_default();
    let pools = if pools.list().is_some() { pools } else { make::list([pools]) };
    let mut authorizer = Map::new();
    authorizer.set("type", KIND);
    authorizer.set("providerARNs", pools);
    authorizer.set_some("identityValidationExpression", identity(own, "ValidationExpression").cloned());
    let mut new = definition(header(own), KIND);
    new.as_map().set("x-amazon-apigateway-authorizer", authorizer);
    new
}

/// Parts of a request that identify the caller, with their names in the document.
const SOURCES: [(&str, &str); 4] = [
    ("Headers", "method.request.header."),
    ("QueryStrings", "method.request.querystring."),
    ("StageVariables", "stageVariables."),
    ("Context", "context."),
];

fn lambda(cx: &Context, name: &str, own: &Map) -> Result<Value, Refusal> {
    let is_request = own.get("FunctionPayloadType").and_then(Value::text) == Some("REQUEST");
    let ttl = own.get("Identity").and_then(|identity| identity.get("ReauthorizeEvery"));
    let mut authorizer = Map::new();
    let uri = format!(
        "arn:{}:apigateway:${{AWS::Region}}:lambda:path/2015-03-31/functions/${{__FunctionArn__}}/invocations",
        cx.parameters.partition
    );
    let function = own.get("FunctionArn").cloned().unwrap_or_default();
    authorizer.set("type", if is_request { "request" } else { "token" });
    authorizer.set_some("authorizerResultTtlInSeconds", ttl.filter(|ttl| !ttl.is_null()).cloned());
    authorizer.set("authorizerUri", make::sub_with(&uri, [("__FunctionArn__", function)]));
    authorizer.set_some(
        "authorizerCredentials",
        own.get_true("FunctionInvokeRole").filter(|role| role.text() != Some("NONE")).cloned(),
    );
    if is_request {
        let (source, origin) = sources(own);
        let is_needed = ttl.is_none_or(Value::is_true);
        if source.is_empty() && is_needed {
            let sentence = format!(
                "{name} Authorizer must specify Identity with at least one of Headers, QueryStrings, StageVariables, or Context."
            );
            return Err(Refusal::new(sentence));
        }
        if !source.is_empty() {
            authorizer.set("identitySource", Value::from(source).at(origin));
        }
    } else {
        authorizer.set_some("identityValidationExpression", identity(own, "ValidationExpression").cloned());
    }
    let name = if is_request { "Unused".into() } else { header(own) };
    let mut new = definition(name, "custom");
    new.as_map().set("x-amazon-apigateway-authorizer", authorizer);
    Ok(new)
}

fn sources(own: &Map) -> (String, Option<NodeId>) {
    let mut all = Vec::new();
    let mut origin = None;
    for (name, prefix) in SOURCES {
        let names = identity(own, name).and_then(Value::list).unwrap_or_default();
        origin = origin.or_else(|| names.first()?.origin());
        all.extend(names.iter().filter_map(Value::text).map(|name| format!("{prefix}{name}")));
    }
    (all.join(", "), origin)
}

fn permission(cx: &Context, input: &Input, name: &str, own: &Map) -> Option<Resource> {
    if own.get("DisableFunctionDefaultPermissions").is_some_and(Value::is_true) {
        return None;
    }
    authorizer_permission(input, name, own, &cx.parameters.partition)
}

/// Returns the permission of an API to invoke the function of an authorizer. `partition` is that of the ARN.
pub(crate) fn authorizer_permission(input: &Input, name: &str, own: &Map, partition: &str) -> Option<Resource> {
    let function = own.get_true("FunctionArn")?;
    let mut permission = input.besides(&format!("{name}AuthorizerPermission"), "AWS::Lambda::Permission");
    permission.origin = function.origin();
    permission.set("Action", "lambda:InvokeFunction");
    permission.set("FunctionName", function.clone());
    permission.set("Principal", "apigateway.amazonaws.com");
    let arn = format!("arn:{partition}:execute-api:${{AWS::Region}}:${{AWS::AccountId}}:${{__ApiId__}}/authorizers/*");
    permission.set("SourceArn", make::sub_with(&arn, [("__ApiId__", make::reference(&input.id))]));
    Some(permission)
}
