//! Requests with XML responses.

use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;
use form_urlencoded::Serializer;

use super::query::QueryRequest;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Request {
    /// The query protocol, and the API version.
    Query { version: &'static str, request: QueryRequest },
    /// A REST call: a path and its query.
    Get { path: &'static str, query: Vec<(String, String)> },
}

impl Request {
    pub(crate) fn get(path: &'static str, query: &[(&str, &str)]) -> Request {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Request::Get { path, query }
    }

    pub(crate) fn with(mut self, name: &str, value: &str) -> Request {
        let (Request::Query { request: QueryRequest { parameters, .. }, .. } | Request::Get { query: parameters, .. }) =
            &mut self;
        parameters.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Converts the request to HTTP; its path is joined to the endpoint later.
    pub(crate) fn to_http(&self) -> Result<HttpRequest, BoxError> {
        match self {
            Request::Query { version, request: QueryRequest { action, parameters } } => {
                let mut form = Serializer::new(String::new());
                form.append_pair("Action", action).append_pair("Version", version).extend_pairs(parameters);
                let mut request = HttpRequest::new(SdkBody::from(form.finish()));
                request.set_method("POST")?;
                request.set_uri("/")?;
                request.headers_mut().insert("content-type", "application/x-www-form-urlencoded; charset=utf-8");
                Ok(request)
            }
            Request::Get { path, query } => {
                let mut request = HttpRequest::new(SdkBody::empty());
                request.set_method("GET")?;
                // In a query a space is %20: the signature counts a plus sign as itself.
                let query = Serializer::new(String::new()).extend_pairs(query).finish().replace('+', "%20");
                request.set_uri(format!("{path}?{query}"))?;
                Ok(request)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_and_queries() {
        let query = QueryRequest::new("DescribeVpcs").with("Filter.1.Name", "is-default");
        let request = Request::Query { version: "2016-11-15", request: query }.with("Filter.1.Value.1", "a b&c");
        let http = request.to_http().expect("a request");
        let body = http.body().bytes().expect("bytes");
        assert_eq!((http.method(), http.uri()), ("POST", "/"));
        assert_eq!(
            std::str::from_utf8(body),
            Ok("Action=DescribeVpcs&Version=2016-11-15&Filter.1.Name=is-default&Filter.1.Value.1=a+b%26c")
        );
        let http = Request::get("/2013-04-01/hostedzone", &[("marker", "a b+c")]).to_http().expect("a request");
        assert_eq!((http.method(), http.uri()), ("GET", "/2013-04-01/hostedzone?marker=a%20b%2Bc"));
    }
}
