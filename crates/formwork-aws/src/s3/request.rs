//! Requests to S3.

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use bytes::Bytes;
use formwork_base::percent::encoded;

use super::body::body;
use super::checksum::Checksum;
use crate::sign::CONTENT_SHA256;

/// A request, without the URL of the bucket and without signature.
#[derive(Clone, Debug)]
pub(crate) struct S3Request {
    method: &'static str,
    /// Empty for the bucket.
    key: String,
    query: Vec<(&'static str, Option<String>)>,
    headers: Vec<(String, String)>,
    body: Bytes,
}

impl S3Request {
    pub(crate) fn of_bucket(method: &'static str) -> S3Request {
        S3Request::of_object(method, "")
    }

    pub(crate) fn of_object(method: &'static str, key: &str) -> S3Request {
        S3Request { method, key: key.to_owned(), query: Vec::new(), headers: Vec::new(), body: Bytes::new() }
    }

    /// Adds a parameter without value to the query: `?uploads`.
    #[must_use]
    pub(crate) fn flag(mut self, name: &'static str) -> S3Request {
        self.query.push((name, None));
        self
    }

    #[must_use]
    pub(crate) fn query(mut self, name: &'static str, value: impl Into<String>) -> S3Request {
        self.query.push((name, Some(value.into())));
        self
    }

    #[must_use]
    pub(crate) fn header(mut self, name: impl Into<String>, value: impl Into<String>) -> S3Request {
        self.headers.push((name.into(), value.into()));
        self
    }

    /// Sets a content that S3 verifies.
    #[must_use]
    pub(crate) fn content(self, bytes: Bytes, checksum: &Checksum) -> S3Request {
        let request = self.header("x-amz-checksum-sha256", checksum.to_string()).header(CONTENT_SHA256, checksum.hex());
        S3Request { body: bytes, ..request }
    }

    #[must_use]
    pub(crate) fn document(self, text: String) -> S3Request {
        S3Request { body: text.into(), ..self.header("content-type", "application/xml") }
    }

    /// Converts the request to HTTP; its path is joined to the URL of the bucket later.
    pub(super) fn to_http(&self) -> Result<HttpRequest, BoxError> {
        let mut request = HttpRequest::new(body(self.body.clone()));
        request.set_method(self.method)?;
        let mut uri = format!("/{}", encoded(&self.key, b"/"));
        for (at, (name, value)) in self.query.iter().enumerate() {
            uri.push(if at == 0 { '?' } else { '&' });
            uri.push_str(name);
            if let Some(value) = value {
                uri.push('=');
                uri.push_str(&encoded(value, b""));
            }
        }
        request.set_uri(uri)?;
        if matches!(self.method, "PUT" | "POST") {
            request.headers_mut().try_insert("content-length", self.body.len().to_string())?;
        }
        for (name, value) in &self.headers {
            // S3 may read other bytes differently, and the signature would not match.
            if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
                return Err(format!("the header {name} takes ASCII characters only, and its value is `{value}`").into());
            }
            request.headers_mut().try_insert(name.to_ascii_lowercase(), value.clone())?;
        }
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uri(request: &S3Request) -> String {
        request.to_http().expect("a request").uri().to_owned()
    }

    #[test]
    fn keys_are_encoded_and_slashes_kept() {
        for (key, path) in [
            ("a/b.zip", "/a/b.zip"),
            ("a b+c", "/a%20b%2Bc"),
            ("ü/日本", "/%C3%BC/%E6%97%A5%E6%9C%AC"),
            ("a//b/../c/./", "/a//b/../c/./"),
            ("/a", "//a"),
            (
                "100%?#&=:@!$'()*,;[]\"<>\\^`{|}~-_.",
                "/100%25%3F%23%26%3D%3A%40%21%24%27%28%29%2A%2C%3B%5B%5D%22%3C%3E%5C%5E%60%7B%7C%7D~-_.",
            ),
        ] {
            assert_eq!(uri(&S3Request::of_object("GET", key)), path, "{key}");
        }
    }

    #[test]
    fn queries_and_bodies() {
        let request = S3Request::of_bucket("POST").flag("delete").document("<a/>".to_owned());
        let http = request.to_http().expect("a request");
        assert_eq!((http.method(), http.uri(), http.body().bytes()), ("POST", "/?delete", Some(&b"<a/>"[..])));
        assert_eq!(
            (http.headers().get("content-length"), http.headers().get("content-type")),
            (Some("4"), Some("application/xml"))
        );
        let part = S3Request::of_object("PUT", "k").query("partNumber", "1").query("uploadId", "a b+/=");
        assert_eq!(uri(&part), "/k?partNumber=1&uploadId=a%20b%2B%2F%3D");
        let checksum = Checksum::of(b"");
        let http = part.content(Bytes::new(), &checksum).to_http().expect("a request");
        assert_eq!(http.headers().get("content-length"), Some("0"));
        assert_eq!(http.headers().get("x-amz-checksum-sha256"), Some(checksum.to_string().as_str()));
        let http = S3Request::of_bucket("HEAD").to_http().expect("a request");
        assert_eq!((http.uri(), http.headers().get("content-length")), ("/", None));
    }

    #[test]
    fn headers_are_ascii() {
        let error = S3Request::of_object("PUT", "k").header("x-amz-meta-Team", "ü").to_http().expect_err("not ASCII");
        assert_eq!(error.to_string(), "the header x-amz-meta-Team takes ASCII characters only, and its value is `ü`");
        assert!(S3Request::of_object("PUT", "k").header("x-amz-meta-a b", "c").to_http().is_err());
    }
}
