//! Calls of services with XML responses.

use aws_credential_types::Credentials;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_types::SdkConfig;

use super::document::Element;
use super::error::read_error;
use super::query::QueryRequest;
use super::request::Request;
use crate::api_error::ApiError;
use crate::call_error::CallError;
use crate::endpoint;
use crate::operation::{Protocol, operation};
use crate::paging::Pages;
use crate::service::Service;

const PROTOCOL: Protocol<Request, Element> = Protocol { serialize: |request| request.to_http(), deserialize: answer };

/// A service that can be called, or why it cannot.
#[derive(Clone, Debug)]
pub(crate) struct Api {
    service: Service,
    operation: Result<Operation<Request, Element, ApiError>, CallError>,
    url: String,
}

impl Api {
    pub(crate) async fn new(service: Service, region: &str, credentials: &Credentials, config: &SdkConfig) -> Api {
        let url = endpoint::resolve(service, region, config).await.map_or_else(|_| String::new(), |found| found.url);
        Api { service, operation: operation(service, region, credentials, config, PROTOCOL).await, url }
    }

    /// Creates a request in the query protocol, in the version of the service.
    pub(crate) fn query(&self, request: QueryRequest) -> Request {
        Request::Query { version: self.service.query_version(), request }
    }

    /// Makes a call and returns its result: in the query protocol the element `DescribeStacksResult` of the response,
    /// empty for a call without result; for EC2 and REST, which have no such element, the root of the response.
    ///
    /// # Errors
    /// When the call cannot be made, is rejected, or its response cannot be read, after all retries; when the response
    /// is one to another action.
    pub(crate) async fn call(&self, request: Request) -> Result<Element, CallError> {
        let operation = self.operation.as_ref().map_err(Clone::clone)?;
        let action = match &request {
            Request::Query { request, .. } if self.service != Service::Ec2 => Some(request.action()),
            _ => None,
        };
        let answer = operation.invoke(request).await;
        let answer = answer.map_err(|failure| CallError::from(failure).at(&self.url))?;
        match action {
            Some(action) => result(action, answer),
            None => Ok(answer),
        }
    }

    /// Makes a call until no page is left, and returns all pages. `next` has the names of the response element and the
    /// request parameter with the token. The pages count in `run`.
    ///
    /// # Errors
    /// When any page fails: a listing is complete or an error.
    pub(crate) async fn pages(
        &self,
        request: Request,
        next: (&str, &str),
        run: &Pages,
    ) -> Result<Vec<Element>, CallError> {
        let mut pages = Vec::new();
        let mut paging = run.listing()?;
        let mut token: Option<String> = None;
        loop {
            let request = match &token {
                Some(token) => request.clone().with(next.1, token),
                None => request.clone(),
            };
            let page = self.call(request).await?;
            token = paging.next(page.text_of(next.0).map(str::to_owned))?;
            pages.push(page);
            if token.is_none() {
                return Ok(pages);
            }
        }
    }
}

fn result(action: &str, answer: Element) -> Result<Element, CallError> {
    if answer.name.strip_prefix(action) != Some("Response") {
        return Err(CallError::malformed(format!("it is not an answer to {action}")));
    }
    let mut parts = answer.children.into_iter();
    Ok(parts.find(|part| part.name.strip_prefix(action) == Some("Result")).unwrap_or_default())
}

fn answer(response: &HttpResponse) -> Result<Element, OrchestratorError<ApiError>> {
    let body = String::from_utf8_lossy(response.body().bytes().unwrap_or_default());
    if !response.status().is_success() {
        return Err(OrchestratorError::operation(read_error(&body)));
    }
    Element::parse(&body).map_err(|why| OrchestratorError::response(format!("the XML cannot be read: {why}").into()))
}
