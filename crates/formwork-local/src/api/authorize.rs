//! Events and results of authorizers (reference/local.md#authorizers).

use serde_json::{Map, Value, json};

use super::answer::Reply;
use super::authorizer::{Authorizer, IdentitySource, Payload};
use super::event::{self, Call, api_id};
use super::{Api, Kind, Route};
use crate::localize::scalar_text;
use crate::project::ACCOUNT;

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Decision {
    Allowed(Map<String, Value>),
    Denied,
}

/// Returns the values that identify a caller; `None` when one is missing.
pub(crate) fn identity(authorizer: &Authorizer, api: &Api, call: &Call) -> Option<Vec<String>> {
    let value = |source: &IdentitySource| match source {
        IdentitySource::Header(name) => call.header(name).map(str::to_owned),
        IdentitySource::Query(name) => {
            call.query_pairs().into_iter().rev().find(|(known, _)| known == name).map(|(_, value)| value)
        }
        IdentitySource::Stage(name) => api.variable(name).map(str::to_owned),
        IdentitySource::Context(name) => Some(match name.as_str() {
            "identity.sourceIp" | "http.sourceIp" => call.source_ip.clone(),
            "httpMethod" | "http.method" => call.method.clone(),
            "path" | "http.path" => call.path.clone(),
            "stage" => api.stage.clone(),
            _ => return None,
        }),
    };
    let values: Option<Vec<String>> = authorizer.sources.iter().map(value).collect();
    values.filter(|values| values.iter().all(|value| !value.is_empty()))
}

pub(crate) fn arn(api: &Api, call: &Call, region: &str) -> String {
    let path = call.path.strip_prefix('/').unwrap_or(&call.path);
    format!("arn:aws:execute-api:{region}:{ACCOUNT}:{}/{}/{}/{path}", api_id(api), api.stage, call.method)
}

pub(crate) fn event(
    authorizer: &Authorizer,
    api: &Api,
    route: &Route,
    call: &Call,
    path: &[(String, String)],
    identity: &[String],
    arn: &str,
) -> Value {
    match authorizer.payload {
        Payload::Token => {
            json!({"type": "TOKEN", "authorizationToken": identity.first(), "methodArn": arn})
        }
        Payload::RequestV1 => {
            let mut event = event::request_v1(api, route, call, path, None);
            event.insert("type".to_owned(), json!("REQUEST"));
            event.insert("methodArn".to_owned(), json!(arn));
            if api.kind == Kind::Http {
                event.insert("version".to_owned(), json!("1.0"));
                event.insert("identitySource".to_owned(), json!(identity.join(",")));
                event.insert("authorizationToken".to_owned(), json!(identity.join(",")));
            }
            Value::Object(event)
        }
        Payload::RequestV2 => {
            let mut event = event::request_v2(api, route, call, path);
            event.insert("type".to_owned(), json!("REQUEST"));
            event.insert("routeArn".to_owned(), json!(arn));
            event.insert("identitySource".to_owned(), json!(identity));
            Value::Object(event)
        }
    }
}

/// Returns the decision of a result; `None` when it is malformed.
pub(crate) fn decision(authorizer: &Authorizer, api: &Api, payload: &[u8], arn: &str) -> Option<Decision> {
    let answer: Value = serde_json::from_slice(payload).ok()?;
    let answer = answer.as_object()?;
    let context = match answer.get("context") {
        None | Some(Value::Null) => Map::new(),
        Some(context) => context.as_object()?.clone(),
    };
    if authorizer.is_simple {
        let is_authorized = answer.get("isAuthorized")?.as_bool()?;
        return Some(if is_authorized { Decision::Allowed(context) } else { Decision::Denied });
    }
    let principal = answer.get("principalId").and_then(scalar_text)?;
    if !allows(answer.get("policyDocument")?, arn)? {
        return Some(Decision::Denied);
    }
    let mut authorized = Map::new();
    match api.kind {
        Kind::Rest => {
            // A REST API passes strings.
            for (name, value) in context {
                authorized.insert(name, json!(scalar_text(&value)?));
            }
            authorized.insert("principalId".to_owned(), json!(principal));
            authorized.insert("integrationLatency".to_owned(), json!(0));
        }
        Kind::Http => authorized = context,
    }
    Some(Decision::Allowed(authorized))
}

/// Returns `true` if a statement of a policy allows a request and none denies it.
fn allows(policy: &Value, arn: &str) -> Option<bool> {
    let list = |value: &Value| match value {
        Value::Array(items) => items.iter().filter_map(scalar_text).collect(),
        value => scalar_text(value).into_iter().collect::<Vec<_>>(),
    };
    let statements = policy.get("Statement")?;
    let statements = statements.as_array().map_or(std::slice::from_ref(statements), Vec::as_slice);
    let mut is_allowed = false;
    for statement in statements {
        let actions = list(statement.get("Action")?);
        let resources = list(statement.get("Resource")?);
        let is_meant = actions.iter().any(|action| matches_pattern(&action.to_lowercase(), "execute-api:invoke"))
            && resources.iter().any(|resource| matches_pattern(resource, arn));
        match statement.get("Effect").and_then(Value::as_str)? {
            "Allow" => is_allowed |= is_meant,
            "Deny" if is_meant => return Some(false),
            _ => {}
        }
    }
    Some(is_allowed)
}

/// Matches a pattern with `*` and `?`.
fn matches_pattern(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) = (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t, mut star) = (0, 0, None);
    while t < text.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p, t));
            p += 1;
        } else if pattern.get(p).is_some_and(|c| *c == '?' || *c == text[t]) {
            p += 1;
            t += 1;
        } else if let Some((at, taken)) = star {
            star = Some((at, taken + 1));
            p = at + 1;
            t = taken + 1;
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

pub(crate) fn unidentified() -> Reply {
    Reply::message(401, "Unauthorized")
}

pub(crate) fn denied(api: &Api) -> Reply {
    match api.kind {
        Kind::Rest => {
            let mut reply = Reply::message(403, "");
            let text = "User is not authorized to access this resource with an explicit deny";
            reply.body = json!({"Message": text}).to_string().into_bytes();
            reply
        }
        Kind::Http => Reply::message(403, "Forbidden"),
    }
}

pub(crate) fn failed(api: &Api, payload: &[u8]) -> Reply {
    let error: Value = serde_json::from_slice(payload).unwrap_or_default();
    if error.get("errorMessage").and_then(Value::as_str) == Some("Unauthorized") {
        return unidentified();
    }
    match api.kind {
        Kind::Rest => {
            let mut reply = Reply::message(500, "");
            reply.body = json!({"message": null}).to_string().into_bytes();
            reply
        }
        Kind::Http => Reply::message(500, "Internal Server Error"),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::{event, matching};
    use super::*;

    const ARN: &str = "arn:aws:execute-api:us-east-1:123456789012:Api/Prod/GET/users";

    fn authorizer(payload: Payload, is_simple: bool) -> Authorizer {
        let sources = vec![IdentitySource::Header("x-two".into())];
        Authorizer { name: "A".into(), function: "F".into(), payload, sources, ttl: Duration::ZERO, is_simple }
    }

    fn decided(kind: Kind, is_simple: bool, answer: &Value) -> Option<Decision> {
        let api = matching::tests::api(kind, &[]);
        decision(&authorizer(Payload::RequestV1, is_simple), &api, answer.to_string().as_bytes(), ARN)
    }

    fn policy(effect: &str, resource: &str) -> Value {
        json!({"principalId": "me", "context": {"n": 1}, "policyDocument": {"Statement": [
            {"Effect": effect, "Action": "execute-api:Invoke", "Resource": resource},
        ]}})
    }

    #[test]
    fn policies_decide_with_patterns() {
        let allowed = decided(Kind::Rest, false, &policy("Allow", "arn:aws:execute-api:*/Prod/GET/*"));
        let authorized = json!({"n": "1", "principalId": "me", "integrationLatency": 0});
        assert_eq!(allowed, authorized.as_object().cloned().map(Decision::Allowed));
        assert_eq!(decided(Kind::Rest, false, &policy("Allow", "*/POST/*")), Some(Decision::Denied));
        assert_eq!(decided(Kind::Rest, false, &policy("Deny", "*")), Some(Decision::Denied));
        assert_eq!(decided(Kind::Rest, false, &json!({"principalId": "me"})), None);
    }

    #[test]
    fn simple_answers_decide() {
        let yes = json!({"isAuthorized": true, "context": {"a": [1]}});
        let authorized = json!({"a": [1]}).as_object().cloned().map(Decision::Allowed);
        assert_eq!(decided(Kind::Http, true, &yes), authorized);
        assert_eq!(decided(Kind::Http, true, &json!({"isAuthorized": false})), Some(Decision::Denied));
        assert_eq!(decided(Kind::Http, true, &json!({})), None);
    }

    #[test]
    fn events_of_the_three_payloads() {
        let api = matching::tests::api(Kind::Rest, &[("GET", "/users")]);
        let call = event::tests::call("GET", "/users", "");
        let made = |payload| {
            let authorizer = authorizer(payload, false);
            let identity = identity(&authorizer, &api, &call).expect("an identity");
            super::event(&authorizer, &api, &api.routes[0], &call, &[], &identity, ARN)
        };
        assert_eq!(made(Payload::Token), json!({"type": "TOKEN", "authorizationToken": "2", "methodArn": ARN}));
        let event = made(Payload::RequestV1);
        assert_eq!(
            (&event["type"], &event["methodArn"], &event["path"]),
            (&json!("REQUEST"), &json!(ARN), &json!("/users"))
        );
        assert!(event.get("body").is_none());
        let event = made(Payload::RequestV2);
        assert_eq!((&event["routeArn"], &event["identitySource"]), (&json!(ARN), &json!(["2"])));
        assert_eq!(arn(&api, &call, "us-east-1"), ARN);
        let missing =
            Authorizer { sources: vec![IdentitySource::Query("t".into())], ..authorizer(Payload::Token, false) };
        assert_eq!(identity(&missing, &api, &call), None);
    }
}
