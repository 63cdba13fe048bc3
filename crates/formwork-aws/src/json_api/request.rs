//! Requests of JSON protocols.

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use form_urlencoded::Serializer;
use formwork_base::percent::encoded;
use serde_json::Value;

/// A request, without endpoint and signature.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonRequest {
    method: &'static str,
    path: String,
    query: Vec<(&'static str, String)>,
    /// The operation, of services with one path for all of them.
    target: Option<&'static str>,
    kind: &'static str,
    body: Vec<u8>,
}

impl JsonRequest {
    /// Creates a call of a path, which begins with a slash; names in it are written with [`JsonRequest::segment`].
    pub fn new(method: &'static str, path: impl Into<String>) -> JsonRequest {
        let (path, kind) = (path.into(), "application/json");
        JsonRequest { method, path, query: Vec::new(), target: None, kind, body: Vec::new() }
    }

    /// Creates an operation of a service with one path for all of them.
    pub fn of_target(target: &'static str, body: &Value) -> JsonRequest {
        let request = JsonRequest::new("POST", "/").body(body);
        JsonRequest { target: Some(target), kind: "application/x-amz-json-1.0", ..request }
    }

    /// Selects the version 1.1 of the protocol.
    #[must_use]
    pub fn version_1_1(self) -> JsonRequest {
        JsonRequest { kind: "application/x-amz-json-1.1", ..self }
    }

    /// Adds a parameter to the query.
    #[must_use]
    pub fn query(mut self, name: &'static str, value: &str) -> JsonRequest {
        self.query.push((name, value.to_owned()));
        self
    }

    /// Sets the body.
    #[must_use]
    pub fn body(self, body: &Value) -> JsonRequest {
        JsonRequest { body: body.to_string().into_bytes(), ..self }
    }

    /// Sets a document of the caller as body.
    #[must_use]
    pub fn document(self, body: Vec<u8>) -> JsonRequest {
        JsonRequest { body, kind: "application/octet-stream", ..self }
    }

    /// Escapes a name as a segment of a path.
    pub fn segment(name: &str) -> String {
        encoded(name, b"")
    }

    /// Converts the request to HTTP; its path is joined to the endpoint later.
    pub(super) fn to_http(&self) -> Result<HttpRequest, BoxError> {
        let mut request = HttpRequest::new(SdkBody::from(self.body.clone()));
        request.set_method(self.method)?;
        if self.query.is_empty() {
            request.set_uri(self.path.as_str())?;
        } else {
            // In a query a space is %20: the signature counts a plus sign as itself.
            let query = Serializer::new(String::new()).extend_pairs(&self.query).finish().replace('+', "%20");
            request.set_uri(format!("{}?{query}", self.path))?;
        }
        request.headers_mut().insert("accept", "application/json");
        if !self.body.is_empty() {
            request.headers_mut().insert("content-type", self.kind);
        }
        if let Some(target) = self.target {
            request.headers_mut().insert("x-amz-target", target);
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn paths_queries_and_targets() {
        let path = format!("/2015-03-31/functions/{}/code", JsonRequest::segment("a:b/ü"));
        let http = JsonRequest::new("PUT", path).query("find", "Layer Version").to_http().expect("a request");
        assert_eq!(
            (http.method(), http.uri()),
            ("PUT", "/2015-03-31/functions/a%3Ab%2F%C3%BC/code?find=Layer%20Version")
        );
        assert_eq!(http.headers().get("content-type"), None, "without a body");
        let http = JsonRequest::of_target("AWSStepFunctions.UpdateStateMachine", &json!({"a": 1}));
        let http = http.to_http().expect("a request");
        assert_eq!((http.method(), http.uri(), http.body().bytes()), ("POST", "/", Some(&b"{\"a\":1}"[..])));
        assert_eq!(http.headers().get("x-amz-target"), Some("AWSStepFunctions.UpdateStateMachine"));
        assert_eq!(http.headers().get("content-type"), Some("application/x-amz-json-1.0"));
    }
}
