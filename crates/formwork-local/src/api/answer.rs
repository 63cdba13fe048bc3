//! Converts the result of a function to an HTTP answer (reference/local.md#answers).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value};

use super::{Api, Format, InvokeMode, Kind};
use crate::localize::scalar_text;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    pub(crate) fn message(status: u16, text: &str) -> Reply {
        Reply {
            status,
            headers: vec![("Content-Type".to_owned(), "application/json".to_owned())],
            body: serde_json::json!({"message": text}).to_string().into_bytes(),
        }
    }

    pub(crate) fn malformed() -> Reply {
        Reply::message(502, "Internal server error")
    }

    fn content_type(&self) -> Option<&str> {
        let mut all = self.headers.iter();
        all.find(|(name, _)| name.eq_ignore_ascii_case("content-type")).map(|(_, value)| value.as_str())
    }
}

/// Converts a result to the answer to the request; `Err` is the reason why it cannot be converted.
pub(crate) fn reply(api: &Api, format: Format, payload: &[u8]) -> Result<Reply, String> {
    if api.function_url == Some(InvokeMode::Streamed) {
        return streamed(api, payload);
    }
    let value: Value = serde_json::from_slice(payload)
        .map_err(|_| format!("the result is not JSON: {}", formwork::why_not_json(payload)))?;
    match (format, &value) {
        (Format::V2, Value::Object(object)) if object.contains_key("statusCode") => structured(api, format, object),
        (Format::V2, Value::String(text)) => Ok(plain(text.as_bytes())),
        (Format::V2, _) => Ok(plain(payload)),
        (Format::V1, Value::Object(object)) => {
            if api.kind == Kind::Rest
                && let Some(key) = object.keys().find(|key| !REST_KEYS.contains(&key.as_str()))
            {
                return Err(format!("the result has the key {key}, which a REST API does not accept"));
            }
            if api.kind == Kind::Http && !object.contains_key("statusCode") {
                return Err("the result has no statusCode".to_owned());
            }
            structured(api, format, object)
        }
        (Format::V1, _) => Err("the result is not an object with statusCode and body".to_owned()),
    }
}

const REST_KEYS: [&str; 6] = ["statusCode", "headers", "multiValueHeaders", "body", "isBase64Encoded", "base64Encoded"];

/// Converts the response stream of a function: only the body, or a JSON object with status, headers and cookies, eight
/// zero bytes, and the body.
fn streamed(api: &Api, payload: &[u8]) -> Result<Reply, String> {
    const SEPARATOR: [u8; 8] = [0; 8];
    let at = payload.windows(SEPARATOR.len()).position(|window| window == SEPARATOR);
    let head = at.and_then(|at| serde_json::from_slice::<Map<String, Value>>(&payload[..at]).ok().zip(Some(at)));
    let Some((mut head, at)) = head else {
        let headers = vec![("Content-Type".to_owned(), "application/octet-stream".to_owned())];
        return Ok(Reply { status: 200, headers, body: payload.to_vec() });
    };
    head.retain(|key, _| key != "body" && key != "isBase64Encoded");
    let reply = structured(api, Format::V2, &head)?;
    Ok(Reply { body: payload[at + SEPARATOR.len()..].to_vec(), ..reply })
}

fn plain(body: &[u8]) -> Reply {
    let headers = vec![("Content-Type".to_owned(), "application/json".to_owned())];
    Reply { status: 200, headers, body: body.to_vec() }
}

fn structured(api: &Api, format: Format, object: &Map<String, Value>) -> Result<Reply, String> {
    let member = |name: &str| object.get(name).filter(|value| !value.is_null());
    let status = match member("statusCode") {
        None => 200,
        Some(value) => {
            let number = scalar_text(value).and_then(|text| text.parse::<u16>().ok());
            number.filter(|status| (200..=599).contains(status)).ok_or_else(|| format!("statusCode is {value}"))?
        }
    };
    let mut headers: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: &Value, is_more: bool| -> Result<(), String> {
        let text = scalar_text(value).ok_or_else(|| format!("the value of the header {name} is {value}"))?;
        let is_there = headers.iter().any(|(known, other)| known.eq_ignore_ascii_case(name) && *other == text);
        if !(is_more && is_there) {
            headers.push((name.to_owned(), text));
        }
        Ok(())
    };
    for (name, values) in entries(member("multiValueHeaders"), "multiValueHeaders")? {
        let values =
            values.as_array().ok_or_else(|| format!("the values of {name} in multiValueHeaders are not a list"))?;
        for value in values {
            add(name, value, false)?;
        }
    }
    for (name, value) in entries(member("headers"), "headers")?.filter(|(_, value)| !value.is_null()) {
        add(name, value, true)?;
    }
    if format == Format::V2 {
        for cookie in member("cookies").and_then(Value::as_array).into_iter().flatten() {
            add("Set-Cookie", cookie, false)?;
        }
    }
    let text = match member("body") {
        None => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => return Err(format!("body is not a string: {}", kind(other))),
    };
    let is_base64 =
        match member("isBase64Encoded").or_else(|| member("base64Encoded").filter(|_| api.kind == Kind::Rest)) {
            None | Some(Value::Bool(false)) => false,
            Some(Value::Bool(true)) => true,
            Some(Value::String(text)) if text == "true" || text == "false" => text == "true",
            Some(other) => return Err(format!("isBase64Encoded is {other}")),
        };
    let mut reply = Reply { status, headers, body: text.into_bytes() };
    if reply.content_type().is_none() {
        reply.headers.push(("Content-Type".to_owned(), "application/json".to_owned()));
    }
    if is_base64 && (api.kind == Kind::Http || api.is_binary(reply.content_type())) {
        let decoded = STANDARD.decode(&reply.body);
        reply.body = decoded.map_err(|error| format!("body is not base64: {error}"))?;
    }
    Ok(reply)
}

/// Returns the entries of an object; empty when it is missing.
fn entries<'a>(value: Option<&'a Value>, name: &str) -> Result<impl Iterator<Item = (&'a String, &'a Value)>, String> {
    match value {
        None => Ok(None),
        Some(Value::Object(object)) => Ok(Some(object)),
        Some(other) => Err(format!("{name} is not an object: {}", kind(other))),
    }
    .map(|object| object.into_iter().flatten())
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a Boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::matching::tests::api;
    use super::*;

    /// Status, headers, body; `None` for a malformed result.
    type Replied = Option<(u16, String, String)>;

    fn replied(kind: Kind, format: Format, value: &Value) -> Replied {
        let reply = reply(&api(kind, &[]), format, value.to_string().as_bytes()).ok()?;
        let headers: Vec<String> = reply.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        Some((reply.status, headers.join("; "), String::from_utf8(reply.body).ok()?))
    }

    const JSON: &str = "Content-Type: application/json";

    #[test]
    fn rest_answers() {
        let rest = |value| replied(Kind::Rest, Format::V1, &value);
        assert_eq!(rest(json!({"body": "x"})), Some((200, JSON.into(), "x".into())));
        assert_eq!(rest(json!({"statusCode": "201", "body": null})), Some((201, JSON.into(), String::new())));
        let both = json!({"headers": {"A": "1", "B": 2}, "multiValueHeaders": {"A": ["1", "3"]}, "body": ""});
        assert_eq!(rest(both), Some((200, "A: 1; A: 3; B: 2; Content-Type: application/json".into(), String::new())));
        for wrong in [
            json!("x"),
            json!(null),
            json!({"other": 1}),
            json!({"statusCode": "x"}),
            json!({"body": {}}),
            json!({"headers": []}),
            json!({"multiValueHeaders": {"A": "1"}}),
            json!({"isBase64Encoded": 3}),
        ] {
            assert_eq!(rest(wrong.clone()), None, "{wrong}");
        }
        // Only listed types are decoded.
        assert_eq!(rest(json!({"body": "YWJj", "isBase64Encoded": true})), Some((200, JSON.into(), "YWJj".into())));
        let mut binary = api(Kind::Rest, &[]);
        binary.binary = vec!["*/*".into()];
        let value = json!({"body": "YWJj", "base64Encoded": true}).to_string();
        assert_eq!(reply(&binary, Format::V1, value.as_bytes()).map(|reply| reply.body), Ok(b"abc".to_vec()));
    }

    #[test]
    fn http_answers() {
        let v1 = |value| replied(Kind::Http, Format::V1, &value);
        assert_eq!(v1(json!({"body": "x"})), None);
        assert_eq!(v1(json!({"statusCode": 200, "other": 1})), Some((200, JSON.into(), String::new())));
        let v2 = |value| replied(Kind::Http, Format::V2, &value);
        assert_eq!(v2(json!({"a": 1})), Some((200, JSON.into(), "{\"a\":1}".into())));
        assert_eq!(v2(json!("text")), Some((200, JSON.into(), "text".into())));
        assert_eq!(v2(json!(7)), Some((200, JSON.into(), "7".into())));
        let cookies = json!({"statusCode": 204, "cookies": ["a=1", "b=2"], "headers": {"content-type": "text/plain"}});
        assert_eq!(
            v2(cookies),
            Some((204, "content-type: text/plain; Set-Cookie: a=1; Set-Cookie: b=2".into(), String::new()))
        );
        assert_eq!(
            v2(json!({"statusCode": 200, "body": "YWJj", "isBase64Encoded": true})),
            Some((200, JSON.into(), "abc".into()))
        );
        assert_eq!(v2(json!({"statusCode": "no"})), None);
    }

    #[test]
    fn streams_of_function_urls_have_their_own_head() {
        let mut url = api(Kind::Http, &[]);
        url.function_url = Some(InvokeMode::Streamed);
        let plain = reply(&url, Format::V2, b"not JSON").expect("an answer");
        assert_eq!((plain.status, plain.body.as_slice()), (200, &b"not JSON"[..]));
        let payload =
            b"{\"statusCode\": 201, \"headers\": {\"X-A\": \"b\"}, \"cookies\": [\"c=d\"]}\0\0\0\0\0\0\0\0the \0 body";
        let answer = reply(&url, Format::V2, payload).expect("an answer");
        assert_eq!((answer.status, answer.body.as_slice()), (201, &b"the \0 body"[..]));
        assert_eq!(answer.headers[..2], [("X-A".into(), "b".into()), ("Set-Cookie".into(), "c=d".into())]);
    }
}
