//! Events of APIs in both formats (reference/local.md#events).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};

use super::{Api, Kind, Route};
use crate::project::ACCOUNT;
use formwork_base::percent;

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) method: String,
    /// Unchanged, with its escapes.
    pub(crate) path: String,
    /// Unchanged, without the question mark.
    pub(crate) query: String,
    /// In order, with the names as they were sent.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
    pub(crate) protocol: String,
    pub(crate) source_ip: String,
    /// The port of the server.
    pub(crate) port: u16,
    pub(crate) id: String,
    pub(crate) now: jiff::Timestamp,
}

impl Call {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.iter().rev();
        all.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    /// Returns names and values of the query, decoded.
    pub(crate) fn query_pairs(&self) -> Vec<(String, String)> {
        let decoded = |text: &str| percent::decoded(&text.replace('+', " "));
        let pairs = self.query.split('&').filter(|pair| !pair.is_empty());
        pairs
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decoded(name), decoded(value))
            })
            .collect()
    }

    fn host(&self) -> &str {
        let host = self.header("host").unwrap_or("localhost");
        host.rsplit_once(':')
            .filter(|(_, port)| port.bytes().all(|byte| byte.is_ascii_digit()))
            .map_or(host, |(host, _)| host)
    }

    fn time(&self) -> String {
        self.now.strftime("%d/%b/%Y:%H:%M:%S +0000").to_string()
    }
}

pub(crate) type Authorized = Option<Map<String, Value>>;

/// Returns an object with the last value of each name; null without any.
fn single(pairs: &[(String, String)]) -> Value {
    let object: Map<String, Value> = pairs.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    if object.is_empty() { Value::Null } else { Value::Object(object) }
}

/// Returns an object with all values of each name; null without any.
fn multiple(pairs: &[(String, String)]) -> Value {
    let mut object = Map::new();
    for (name, value) in pairs {
        if let Value::Array(values) = object.entry(name.clone()).or_insert_with(|| json!([])) {
            values.push(json!(value));
        }
    }
    if object.is_empty() { Value::Null } else { Value::Object(object) }
}

/// Unifies the case of header names: the first spelling is kept.
fn one_spelling(headers: &[(String, String)]) -> Vec<(String, String)> {
    let spelled = |(name, value): &(String, String)| {
        let first = headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
        (first.map_or(name, |(known, _)| known).clone(), value.clone())
    };
    headers.iter().map(spelled).collect()
}

/// Returns the body of an event, and `true` if it is base64. `None` without a body.
fn body(api: &Api, call: &Call) -> (Option<String>, bool) {
    if call.body.is_empty() {
        return (None, false);
    }
    let is_binary = match api.kind {
        Kind::Rest => api.is_binary(call.header("content-type")),
        Kind::Http => std::str::from_utf8(&call.body).is_err(),
    };
    if is_binary {
        (Some(STANDARD.encode(&call.body)), true)
    } else {
        (Some(String::from_utf8_lossy(&call.body).into_owned()), false)
    }
}

pub(crate) fn v1(api: &Api, route: &Route, call: &Call, path: &[(String, String)], authorized: Authorized) -> Value {
    let (text, is_base64) = body(api, call);
    let mut event = request_v1(api, route, call, path, authorized);
    event.insert("body".to_owned(), json!(text));
    event.insert("isBase64Encoded".to_owned(), json!(is_base64));
    if api.kind == Kind::Http {
        event.shift_insert(0, "version".to_owned(), json!("1.0"));
    }
    Value::Object(event)
}

/// Returns the common part of events for functions and for authorizers.
pub(crate) fn request_v1(
    api: &Api,
    route: &Route,
    call: &Call,
    path: &[(String, String)],
    authorized: Authorized,
) -> Map<String, Value> {
    let mut headers: Vec<(String, String)> = one_spelling(&call.headers);
    headers.retain(|(name, _)| !["x-forwarded-proto", "x-forwarded-port"].contains(&name.to_lowercase().as_str()));
    headers.push(("X-Forwarded-Proto".to_owned(), "http".to_owned()));
    headers.push(("X-Forwarded-Port".to_owned(), call.port.to_string()));
    let query = call.query_pairs();
    let shown_path = percent::decoded(&call.path);
    let mut context = json!({
        "resourceId": resource_id(route),
        "apiId": api_id(api),
        "resourcePath": route.path,
        "httpMethod": call.method,
        "requestId": call.id,
        "extendedRequestId": call.id,
        "accountId": ACCOUNT,
        "stage": api.stage,
        "path": shown_path,
        "protocol": call.protocol,
        "domainName": call.host(),
        "domainPrefix": call.host().split('.').next().unwrap_or_default(),
        "requestTime": call.time(),
        "requestTimeEpoch": call.now.as_millisecond(),
        "identity": {
            "apiKey": null, "userArn": null, "cognitoAuthenticationType": null, "caller": null,
            "userAgent": call.header("user-agent"), "user": null, "cognitoIdentityPoolId": null,
            "cognitoAuthenticationProvider": null, "sourceIp": call.source_ip, "accountId": null,
        },
    });
    if let Some(operation) = &route.operation {
        context["operationName"] = json!(operation);
    }
    if let Some(authorized) = authorized {
        context["authorizer"] = Value::Object(authorized);
    }
    let event = json!({
        "resource": route.path,
        "path": shown_path,
        "httpMethod": call.method,
        "headers": single(&headers),
        "multiValueHeaders": multiple(&headers),
        "queryStringParameters": single(&query),
        "multiValueQueryStringParameters": multiple(&query),
        "pathParameters": single(path),
        "stageVariables": single(&api.variables),
        "requestContext": context,
    });
    match event {
        Value::Object(event) => event,
        _ => Map::new(),
    }
}

pub(crate) fn v2(api: &Api, route: &Route, call: &Call, path: &[(String, String)], authorized: Authorized) -> Value {
    let (text, is_base64) = body(api, call);
    let mut event = request_v2(api, route, call, path);
    if let Some(authorized) = authorized {
        event["requestContext"]["authorizer"] = json!({"lambda": authorized});
    }
    if let Some(text) = text {
        event.insert("body".to_owned(), json!(text));
    }
    event.insert("isBase64Encoded".to_owned(), json!(is_base64));
    Value::Object(event)
}

/// Returns the common part of events for functions and for authorizers.
pub(crate) fn request_v2(api: &Api, route: &Route, call: &Call, path: &[(String, String)]) -> Map<String, Value> {
    let joined = |pairs: &mut dyn Iterator<Item = (String, String)>, separator: &str| {
        let mut object = Map::new();
        for (name, value) in pairs {
            match object.get_mut(&name) {
                Some(Value::String(known)) => *known = [known.as_str(), &value].join(separator),
                _ => drop(object.insert(name, json!(value))),
            }
        }
        object
    };
    let is_own = |name: &str| matches!(name, "cookie" | "x-forwarded-proto" | "x-forwarded-port" | "x-forwarded-for");
    let sent = call.headers.iter().map(|(name, value)| (name.to_lowercase(), value.clone()));
    let added = [
        ("x-forwarded-for".to_owned(), call.source_ip.clone()),
        ("x-forwarded-port".to_owned(), call.port.to_string()),
        ("x-forwarded-proto".to_owned(), "http".to_owned()),
    ];
    let headers = joined(&mut sent.filter(|(name, _)| !is_own(name)).chain(added), ",");
    let cookies = call.headers.iter().filter(|(name, _)| name.eq_ignore_ascii_case("cookie"));
    let cookies = cookies.flat_map(|(_, value)| value.split(';')).map(str::trim).filter(|cookie| !cookie.is_empty());
    let cookies: Vec<&str> = cookies.collect();
    let key = route_key(route);
    let decoded_path = percent::decoded(&call.path);
    let host = call.host();
    let mut event = json!({"version": "2.0", "routeKey": key, "rawPath": decoded_path, "rawQueryString": call.query});
    if !cookies.is_empty() {
        event["cookies"] = json!(cookies);
    }
    event["headers"] = Value::Object(headers);
    let query = joined(&mut call.query_pairs().into_iter(), ",");
    if !query.is_empty() {
        event["queryStringParameters"] = Value::Object(query);
    }
    event["requestContext"] = json!({
        "accountId": ACCOUNT,
        "apiId": api_id(api),
        "authentication": null,
        "domainName": host,
        "domainPrefix": host.split('.').next().unwrap_or_default(),
        "http": {
            "method": call.method, "path": decoded_path, "protocol": call.protocol, "sourceIp": call.source_ip,
            "userAgent": call.header("user-agent").unwrap_or_default(),
        },
        "requestId": call.id,
        "routeKey": key,
        "stage": api.stage,
        "time": call.time(),
        "timeEpoch": call.now.as_millisecond(),
    });
    if !path.is_empty() {
        event["pathParameters"] = single(path);
    }
    if !api.variables.is_empty() {
        event["stageVariables"] = single(&api.variables);
    }
    match event {
        Value::Object(event) => event,
        _ => Map::new(),
    }
}

pub(crate) fn route_key(route: &Route) -> String {
    if route.path == "$default" { route.path.clone() } else { format!("{} {}", route.method, route.path) }
}

pub(crate) fn api_id(api: &Api) -> String {
    api.id.replace('/', "-")
}

/// Returns six alphanumeric characters that stay the same for a pattern.
fn resource_id(route: &Route) -> String {
    let hash = route.path.bytes().fold(5381_u64, |hash, byte| hash.wrapping_mul(33) ^ u64::from(byte));
    format!("{:06x}", hash & 0x00ff_ffff)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::super::matching;
    use super::*;

    pub(crate) fn call(method: &str, path: &str, query: &str) -> Call {
        let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        Call {
            method: method.into(),
            path: path.into(),
            query: query.into(),
            headers: vec![
                header("Host", "api.test:3000"),
                header("User-Agent", "curl"),
                header("X-Two", "1"),
                header("x-two", "2"),
                header("Cookie", "a=1; b=2"),
            ],
            body: Vec::new(),
            protocol: "HTTP/1.1".into(),
            source_ip: "127.0.0.1".into(),
            port: 3000,
            id: "request".into(),
            now: jiff::Timestamp::UNIX_EPOCH,
        }
    }

    #[test]
    fn every_field_of_the_format_1_0() {
        let mut api = matching::tests::api(Kind::Rest, &[("GET", "/users/{id}")]);
        api.variables = vec![("v".into(), "1".into())];
        let call = call("GET", "/users/a%20b", "x=1&x=2&y=%C3%A9");
        let (route, path) = matching::find(&api, "GET", &call.path).expect("a route");
        let event = v1(&api, route, &call, &path, None);
        assert_eq!(event["resource"], "/users/{id}");
        assert_eq!(event["path"], "/users/a b");
        assert_eq!(event["pathParameters"], json!({"id": "a b"}));
        assert_eq!(event["queryStringParameters"], json!({"x": "2", "y": "é"}));
        assert_eq!(event["multiValueQueryStringParameters"], json!({"x": ["1", "2"], "y": ["é"]}));
        assert_eq!(event["headers"]["X-Two"], "2");
        assert_eq!(event["multiValueHeaders"]["X-Two"], json!(["1", "2"]));
        assert_eq!(event["headers"]["X-Forwarded-Proto"], "http");
        assert_eq!(event["headers"]["X-Forwarded-Port"], "3000");
        assert_eq!(event["stageVariables"], json!({"v": "1"}));
        assert_eq!((&event["body"], &event["isBase64Encoded"]), (&Value::Null, &json!(false)));
        assert!(event.get("version").is_none());
        let context = &event["requestContext"];
        assert_eq!(context["requestTime"], "01/Jan/1970:00:00:00 +0000");
        assert_eq!(context["identity"]["userAgent"], "curl");
        assert_eq!((&context["domainName"], &context["domainPrefix"]), (&json!("api.test"), &json!("api")));
        let fields =
            ["resourceId", "apiId", "resourcePath", "httpMethod", "requestId", "extendedRequestId", "accountId"];
        let more = ["stage", "path", "protocol", "requestTimeEpoch"];
        assert!(fields.iter().chain(&more).all(|field| context.get(*field).is_some_and(|value| !value.is_null())));
        assert_eq!(context["identity"].as_object().map(Map::len), Some(10));
        let bare = super::tests::call("GET", "/users/x", "");
        let event = v1(&api, route, &bare, &[], None);
        assert!(event["queryStringParameters"].is_null() && event["pathParameters"].is_null());
    }

    #[test]
    fn every_field_of_the_format_2_0() {
        let api = matching::tests::api(Kind::Http, &[("GET", "/users/{id}")]);
        let mut call = call("GET", "/users/7", "x=1&x=2");
        call.body = vec![0xff, 0];
        let (route, path) = matching::find(&api, "GET", &call.path).expect("a route");
        let event = v2(&api, route, &call, &path, None);
        assert_eq!((&event["version"], &event["routeKey"]), (&json!("2.0"), &json!("GET /users/{id}")));
        assert_eq!((&event["rawPath"], &event["rawQueryString"]), (&json!("/users/7"), &json!("x=1&x=2")));
        assert_eq!(event["cookies"], json!(["a=1", "b=2"]));
        assert_eq!(event["headers"]["x-two"], "1,2");
        assert!(event["headers"].get("cookie").is_none());
        assert_eq!(event["queryStringParameters"], json!({"x": "1,2"}));
        assert_eq!(event["pathParameters"], json!({"id": "7"}));
        assert_eq!((&event["body"], &event["isBase64Encoded"]), (&json!("/wA="), &json!(true)));
        assert_eq!(event["requestContext"]["http"]["method"], "GET");
        assert_eq!(event["requestContext"]["timeEpoch"], 0);
        let mut bare = super::tests::call("GET", "/users/x", "");
        bare.headers.clear();
        let event = v2(&api, route, &bare, &[], None);
        for absent in ["body", "cookies", "queryStringParameters", "pathParameters", "stageVariables"] {
            assert!(event.get(absent).is_none(), "{absent}");
        }
    }

    #[test]
    fn bodies_are_base64_by_the_rules_of_their_api() {
        let mut rest = matching::tests::api(Kind::Rest, &[("POST", "/")]);
        rest.binary = vec!["image/png".into()];
        let mut call = call("POST", "/", "");
        call.body = b"abc".to_vec();
        call.headers.push(("Content-Type".into(), "image/png; x=y".into()));
        assert_eq!(body(&rest, &call), (Some("YWJj".into()), true));
        call.headers.pop();
        assert_eq!(body(&rest, &call), (Some("abc".into()), false));
        let http = matching::tests::api(Kind::Http, &[("POST", "/")]);
        assert_eq!(body(&http, &call), (Some("abc".into()), false));
    }
}
