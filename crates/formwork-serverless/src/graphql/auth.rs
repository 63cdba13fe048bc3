//! `Auth`: who may call the API.

use super::{Api, renamed, some};
use crate::make;
use crate::refusal::Refusal;
use crate::resource::Resource;
use crate::value::{Map, Value};

/// A kind of authorization with a configuration.
struct Kind {
    name: &'static str,
    /// The authored key of the configuration, and the one that it becomes.
    key: &'static str,
    becomes: &'static str,
    fields: &'static [(&'static str, &'static str)],
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "AWS_LAMBDA",
        key: "LambdaAuthorizer",
        becomes: "LambdaAuthorizerConfig",
        fields: &[
            ("AuthorizerResultTtlInSeconds", "AuthorizerResultTtlInSeconds"),
            ("AuthorizerUri", "AuthorizerUri"),
            ("IdentityValidationExpression", "IdentityValidationExpression"),
        ],
    },
    Kind {
        name: "OPENID_CONNECT",
        key: "OpenIDConnect",
        becomes: "OpenIDConnectConfig",
        fields: &[("AuthTTL", "AuthTTL"), ("ClientId", "ClientId"), ("IatTTL", "IatTTL"), ("Issuer", "Issuer")],
    },
    Kind {
        name: "AMAZON_COGNITO_USER_POOLS",
        key: "UserPool",
        becomes: "UserPoolConfig",
        fields: &[
            ("AppIdClientRegex", "AppIdClientRegex"),
            ("AwsRegion", "AwsRegion"),
            ("DefaultAction", "DefaultAction"),
            ("UserPoolId", "UserPoolId"),
        ],
    },
];

/// Sets the authorization of the API. Adds the functions that authorize calls.
pub(super) fn translate(api: &Api<'_>, main: &mut Resource, functions: &mut Vec<Value>) -> Result<(), Refusal> {
    let Some(auth) = api.get("Auth").and_then(Value::map) else { return Ok(()) };
    let additional = auth.get("Additional").and_then(Value::list).unwrap_or_default();
    let empty = Map::new();
    for one in std::iter::once(auth).chain(additional.iter().map(|one| one.map().unwrap_or(&empty))) {
        verify(one, api.get("Auth"))?;
        if one.get("Type").and_then(Value::text) == Some("AWS_LAMBDA") {
            functions.extend(one.get("LambdaAuthorizer").and_then(|config| config.get("AuthorizerUri")).cloned());
        }
    }
    for (name, value) in provider(auth).iter() {
        main.set(name, value.clone());
    }
    if !additional.is_empty() {
        let providers = additional.iter().map(|one| {
            let mut provider = provider(one.map().unwrap_or(&empty));
            if let Some(pool) = provider.get_mut("UserPoolConfig").and_then(Value::map_mut) {
                pool.remove("DefaultAction");
            }
            Value::from(provider).at(one.origin())
        });
        main.set("AdditionalAuthenticationProviders", providers.collect::<Vec<Value>>());
    }
    Ok(())
}

fn verify(auth: &Map, around: Option<&Value>) -> Result<(), Refusal> {
    let at = around.and_then(Value::origin);
    let configurations = KINDS.iter().filter(|kind| some(auth, kind.key).is_some()).count();
    if configurations > 1 {
        return Err(Refusal::new("'Auth' has more than one authentication configuration defined.").at(at));
    }
    let wanted = auth.get("Type").and_then(Value::text);
    match KINDS.iter().find(|kind| Some(kind.name) == wanted && some(auth, kind.key).is_none()) {
        Some(Kind { name, key, .. }) => {
            Err(Refusal::new(format!("'{key}' must be defined if type is '{name}'.")).at(at))
        }
        None => Ok(()),
    }
}

/// Returns the properties of an authorization: its type, and its configuration.
fn provider(auth: &Map) -> Map {
    let mut provider = Map::new();
    let wanted = auth.get("Type");
    provider.set_some("AuthenticationType", wanted.cloned());
    if let Some(kind) = KINDS.iter().find(|kind| Some(kind.name) == wanted.and_then(Value::text))
        && let Some(authored) = auth.get(kind.key)
    {
        let config = renamed(authored.map().unwrap_or(&Map::new()), kind.fields);
        if !config.is_empty() {
            provider.set(kind.becomes, Value::from(config).at(authored.origin()));
        }
    }
    provider
}

/// Adds the connector that lets the API call a function that authorizes.
pub(super) fn connect(api: &mut Api<'_>, number: usize, uri: &Value) {
    let source = make::map([("Type", "AWS::AppSync::GraphQLApi".into()), ("ResourceId", api.api_id())]);
    let destination = make::map([("Type", "AWS::Lambda::Function".into()), ("Arn", uri.clone())]);
    let id = format!("{}ToLambdaAuthConnector{number}", api.input.id);
    api.connect(&id, source, destination, make::list(["Write"]), uri);
}
