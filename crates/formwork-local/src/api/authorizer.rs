//! Declarations of Lambda authorizers (reference/local.md#authorizers).

use std::time::Duration;

use serde_json::Value;

use crate::localize::{residual_text, scalar_text};

/// The format of the event that an authorizer receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Payload {
    /// The token of a header.
    Token,
    /// The request, in the format 1.0.
    RequestV1,
    /// The request, in the format 2.0.
    RequestV2,
}

/// The source of a part of the caller's identity.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum IdentitySource {
    /// A header.
    Header(String),
    /// A parameter of the query.
    Query(String),
    /// A stage variable.
    Stage(String),
    /// A key of the request context.
    Context(String),
}

/// A Lambda authorizer.
#[derive(Clone, PartialEq, Debug)]
pub struct Authorizer {
    /// Name of the authorizer.
    pub name: String,
    /// ID of the function.
    pub function: String,
    /// Format of the event.
    pub payload: Payload,
    /// Sources of the caller's identity.
    pub sources: Vec<IdentitySource>,
    /// Time to live of a result.
    pub ttl: Duration,
    /// Set when the function returns `{isAuthorized}` instead of a policy.
    pub is_simple: bool,
}

type MakeSource = fn(String) -> IdentitySource;

/// Default time to live of the results of REST API authorizers, in seconds.
const REST_TTL: u64 = 300;

/// Parses a source as API Gateway spells it: `method.request.header.Auth`, `$request.querystring.x`.
pub(crate) fn source(text: &str) -> Option<IdentitySource> {
    let text = text.trim();
    let text = text.strip_prefix('$').unwrap_or(text);
    let text = text.strip_prefix("method.").unwrap_or(text);
    let made =
        |prefix: &str, make: fn(String) -> IdentitySource| text.strip_prefix(prefix).map(|name| make(name.to_owned()));
    made("request.header.", IdentitySource::Header)
        .or_else(|| made("request.querystring.", IdentitySource::Query))
        .or_else(|| made("stageVariables.", IdentitySource::Stage))
        .or_else(|| made("context.", IdentitySource::Context))
}

fn seconds(value: Option<&Value>, default: u64) -> Duration {
    let given = value.and_then(scalar_text).and_then(|text| text.parse().ok());
    Duration::from_secs(given.unwrap_or(default))
}

fn is_true(value: Option<&Value>) -> bool {
    value.and_then(scalar_text).as_deref() == Some("true")
}

impl Authorizer {
    /// Reads an authorizer of `Auth.Authorizers` of a serverless API. `function` is the ID of its function.
    pub(crate) fn of_serverless(name: &str, value: &Value, function: String, is_rest: bool) -> Authorizer {
        let identity = value.get("Identity").unwrap_or(&Value::Null);
        let mut sources = Vec::new();
        let lists: [(&str, MakeSource); 4] = [
            ("Headers", IdentitySource::Header),
            ("QueryStrings", IdentitySource::Query),
            ("StageVariables", IdentitySource::Stage),
            ("Context", IdentitySource::Context),
        ];
        for (key, make) in lists {
            let items = identity.get(key).and_then(Value::as_array).into_iter().flatten();
            sources.extend(items.map(|item| make(residual_text(item))));
        }
        let payload = match (is_rest, value.get("FunctionPayloadType").and_then(Value::as_str)) {
            (true, Some("REQUEST")) => Payload::RequestV1,
            (true, _) => Payload::Token,
            (false, _)
                if value.get("AuthorizerPayloadFormatVersion").and_then(scalar_text).as_deref() == Some("1.0") =>
            {
                Payload::RequestV1
            }
            (false, _) => Payload::RequestV2,
        };
        if payload == Payload::Token {
            let header = identity.get("Header").map_or_else(|| "Authorization".to_owned(), residual_text);
            sources = vec![IdentitySource::Header(header)];
        }
        Authorizer {
            name: name.to_owned(),
            function,
            payload,
            sources,
            ttl: seconds(identity.get("ReauthorizeEvery"), if is_rest { REST_TTL } else { 0 }),
            is_simple: !is_rest && is_true(value.get("EnableSimpleResponses")),
        }
    }

    /// Reads an `AWS::ApiGateway::Authorizer`, or its equivalent in an `OpenAPI` document, where names begin with
    /// lower-case letters.
    pub(crate) fn of_rest(name: &str, value: &Value, function: String) -> Option<Authorizer> {
        let member = |name: &str| member(value, name);
        let payload = match member("Type").and_then(Value::as_str)?.to_uppercase().as_str() {
            "TOKEN" => Payload::Token,
            "REQUEST" => Payload::RequestV1,
            _ => return None,
        };
        let identity = member("IdentitySource").map(residual_text).unwrap_or_default();
        let mut sources: Vec<IdentitySource> = identity.split(',').filter_map(source).collect();
        if payload == Payload::Token && sources.is_empty() {
            sources.push(IdentitySource::Header("Authorization".to_owned()));
        }
        let ttl = seconds(member("AuthorizerResultTtlInSeconds"), REST_TTL);
        Some(Authorizer { name: name.to_owned(), function, payload, sources, ttl, is_simple: false })
    }

    /// Reads an `AWS::ApiGatewayV2::Authorizer`, or its equivalent in an `OpenAPI` document.
    pub(crate) fn of_http(name: &str, value: &Value, function: String) -> Option<Authorizer> {
        let member = |name: &str| member(value, name);
        let kind = member("AuthorizerType").or_else(|| member("Type")).and_then(Value::as_str)?;
        if !kind.eq_ignore_ascii_case("REQUEST") {
            return None;
        }
        let identity: Vec<String> = match member("IdentitySource") {
            Some(Value::Array(items)) => items.iter().map(residual_text).collect(),
            Some(one) => residual_text(one).split(',').map(str::to_owned).collect(),
            None => Vec::new(),
        };
        let version = member("AuthorizerPayloadFormatVersion").and_then(scalar_text);
        Some(Authorizer {
            name: name.to_owned(),
            function,
            payload: if version.as_deref() == Some("1.0") { Payload::RequestV1 } else { Payload::RequestV2 },
            sources: identity.iter().filter_map(|text| source(text)).collect(),
            ttl: seconds(member("AuthorizerResultTtlInSeconds"), 0),
            is_simple: is_true(member("EnableSimpleResponses")),
        })
    }
}

/// Returns a property by its name in CloudFormation, or by that name with a lower-case first letter.
pub(crate) fn member<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get(name).or_else(|| {
        let (first, rest) = name.split_at(1);
        value.get(first.to_lowercase() + rest)
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sources_in_every_spelling() {
        assert_eq!(source("method.request.header.Auth"), Some(IdentitySource::Header("Auth".into())));
        assert_eq!(source(" $request.querystring.t"), Some(IdentitySource::Query("t".into())));
        assert_eq!(source("stageVariables.v"), Some(IdentitySource::Stage("v".into())));
        assert_eq!(source("$context.identity.sourceIp"), Some(IdentitySource::Context("identity.sourceIp".into())));
        assert_eq!(source("other"), None);
    }

    #[test]
    fn authorizers_of_all_kinds() {
        let token = Authorizer::of_serverless("T", &json!({}), "F".into(), true);
        assert_eq!((token.payload, token.ttl), (Payload::Token, Duration::from_mins(5)));
        assert_eq!(token.sources, [IdentitySource::Header("Authorization".into())]);
        let simple = json!({"EnableSimpleResponses": true, "Identity": {"Headers": ["X"], "ReauthorizeEvery": 30}});
        let simple = Authorizer::of_serverless("S", &simple, "F".into(), false);
        assert_eq!((simple.payload, simple.is_simple, simple.ttl), (Payload::RequestV2, true, Duration::from_secs(30)));
        let raw = json!({"Type": "REQUEST", "IdentitySource": "method.request.header.A, method.request.querystring.b"});
        assert_eq!(Authorizer::of_rest("R", &raw, "F".into()).map(|one| one.sources.len()), Some(2));
        assert_eq!(Authorizer::of_rest("C", &json!({"Type": "COGNITO_USER_POOLS"}), "F".into()), None);
    }
}
