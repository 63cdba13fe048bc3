//! Answers to requests from other origins (reference/local.md#cors).

use serde_json::Value;

use crate::localize::residual_text;

/// The CORS settings of an API.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Cors {
    pub(crate) origins: Vec<String>,
    pub(crate) methods: Vec<String>,
    pub(crate) headers: Vec<String>,
    pub(crate) exposed: Vec<String>,
    pub(crate) max_age: Option<String>,
    pub(crate) has_credentials: bool,
}

pub(crate) type Headers = Vec<(String, String)>;

impl Cors {
    /// Reads `Cors` of `AWS::Serverless::Api`: an origin, or an object; values are in quotes.
    pub(crate) fn of_rest(value: &Value) -> Option<Cors> {
        let unquoted = |text: String| text.trim_matches('\'').to_owned();
        let words =
            |text: String| -> Vec<String> { unquoted(text).split(',').map(|word| word.trim().to_owned()).collect() };
        match value {
            Value::String(origin) => Some(Cors { origins: vec![unquoted(origin.clone())], ..Cors::default() }),
            Value::Object(object) => {
                let text = |name: &str| object.get(name).filter(|value| !value.is_null()).map(residual_text);
                Some(Cors {
                    origins: vec![unquoted(text("AllowOrigin").unwrap_or_else(|| "*".to_owned()))],
                    methods: text("AllowMethods").map(words).unwrap_or_default(),
                    headers: text("AllowHeaders").map(words).unwrap_or_default(),
                    exposed: Vec::new(),
                    max_age: text("MaxAge").map(unquoted),
                    has_credentials: object.get("AllowCredentials").is_some_and(is_true),
                })
            }
            _ => None,
        }
    }

    /// Reads `CorsConfiguration` of HTTP APIs, or `x-amazon-apigateway-cors`: names match in any case.
    pub(crate) fn of_http(value: &Value) -> Option<Cors> {
        let all = || vec!["*".to_owned()];
        let object = match value {
            value if is_true(value) => {
                return Some(Cors { origins: all(), methods: all(), headers: all(), ..Cors::default() });
            }
            Value::Object(object) => object,
            _ => return None,
        };
        let member = |name: &str| object.iter().find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value);
        let list = |name: &str| match member(name) {
            Some(Value::Array(items)) => items.iter().map(residual_text).collect(),
            Some(Value::Null) | None => Vec::new(),
            Some(one) => residual_text(one).split(',').map(|word| word.trim().to_owned()).collect(),
        };
        Some(Cors {
            origins: list("AllowOrigins"),
            methods: list("AllowMethods"),
            headers: list("AllowHeaders"),
            exposed: list("ExposeHeaders"),
            max_age: member("MaxAge").map(residual_text),
            has_credentials: member("AllowCredentials").is_some_and(is_true),
        })
    }

    /// Returns the headers of a REST API's answer to a preflight request, for a path that has `methods`.
    pub(crate) fn rest_preflight(&self, methods: &[String]) -> Headers {
        let own = |words: &[String]| (!words.is_empty()).then(|| words.join(","));
        let declared = || {
            let has_any = methods.iter().any(|method| method == "ANY");
            let all = "DELETE,GET,HEAD,OPTIONS,PATCH,POST,PUT";
            if has_any {
                all.to_owned()
            } else {
                std::iter::once("OPTIONS")
                    .chain(methods.iter().map(String::as_str).filter(|method| *method != "OPTIONS"))
                    .collect::<Vec<_>>()
                    .join(",")
            }
        };
        let mut headers = vec![("Access-Control-Allow-Origin".to_owned(), self.origins.join(","))];
        headers.push(("Access-Control-Allow-Methods".to_owned(), own(&self.methods).unwrap_or_else(declared)));
        let more =
            [("Access-Control-Allow-Headers", own(&self.headers)), ("Access-Control-Max-Age", self.max_age.clone())];
        headers.extend(more.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        if self.has_credentials {
            headers.push(("Access-Control-Allow-Credentials".to_owned(), "true".to_owned()));
        }
        headers
    }

    /// Returns the headers of an HTTP API's answer to a preflight request.
    pub(crate) fn http_preflight(&self, origin: &str) -> Headers {
        let mut headers = self.allowed(origin);
        if headers.is_empty() {
            return headers;
        }
        let own = |words: &[String]| (!words.is_empty()).then(|| words.join(","));
        let more = [
            ("access-control-allow-methods", own(&self.methods)),
            ("access-control-allow-headers", own(&self.headers)),
            ("access-control-max-age", self.max_age.clone()),
        ];
        headers.extend(more.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))));
        headers
    }

    /// Returns the headers of an HTTP API's answer to a request from an origin; empty for a foreign one.
    pub(crate) fn http_headers(&self, origin: &str) -> Headers {
        let mut headers = self.allowed(origin);
        if !headers.is_empty() && !self.exposed.is_empty() {
            headers.push(("access-control-expose-headers".to_owned(), self.exposed.join(",")));
        }
        headers
    }

    fn allowed(&self, origin: &str) -> Headers {
        let matches = |allowed: &String| match allowed.split_once('*') {
            Some((start, end)) => {
                origin.len() >= start.len() + end.len() && origin.starts_with(start) && origin.ends_with(end)
            }
            None => allowed == origin,
        };
        if !self.origins.iter().any(matches) {
            return Headers::new();
        }
        let is_open = self.origins.iter().any(|allowed| allowed == "*") && !self.has_credentials;
        let value = if is_open { "*" } else { origin };
        let mut headers = vec![("access-control-allow-origin".to_owned(), value.to_owned())];
        if self.has_credentials {
            headers.push(("access-control-allow-credentials".to_owned(), "true".to_owned()));
        }
        headers
    }
}

fn is_true(value: &Value) -> bool {
    *value == Value::Bool(true) || value.as_str() == Some("true")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn value<'a>(headers: &'a Headers, name: &str) -> Option<&'a str> {
        headers.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.as_str())
    }

    #[test]
    fn rest_values_lose_their_quotes() {
        let cors =
            Cors::of_rest(&json!({"AllowOrigin": "'https://a'", "AllowHeaders": "'X-A,X-B'", "MaxAge": "'600'"}));
        let headers = cors.expect("cors").rest_preflight(&["GET".into()]);
        assert_eq!(value(&headers, "Access-Control-Allow-Origin"), Some("https://a"));
        assert_eq!(value(&headers, "Access-Control-Allow-Methods"), Some("OPTIONS,GET"));
        assert_eq!(value(&headers, "Access-Control-Allow-Headers"), Some("X-A,X-B"));
        assert_eq!(value(&headers, "Access-Control-Max-Age"), Some("600"));
        assert_eq!(Cors::of_rest(&json!("'*'")).expect("cors").origins, ["*"]);
    }

    #[test]
    fn http_apis_answer_allowed_origins_alone() {
        let cors = Cors::of_http(&json!({
            "AllowOrigins": ["https://a", "https://*.b"], "AllowMethods": ["GET"], "AllowCredentials": true,
            "ExposeHeaders": ["X"],
        }));
        let cors = cors.expect("cors");
        assert_eq!(value(&cors.http_headers("https://a"), "access-control-allow-origin"), Some("https://a"));
        assert_eq!(value(&cors.http_headers("https://x.b"), "access-control-expose-headers"), Some("X"));
        assert_eq!(cors.http_headers("https://c"), []);
        assert_eq!(value(&cors.http_preflight("https://a"), "access-control-allow-methods"), Some("GET"));
        let open = Cors::of_http(&json!(true)).expect("cors");
        assert_eq!(value(&open.http_headers("https://c"), "access-control-allow-origin"), Some("*"));
    }
}
