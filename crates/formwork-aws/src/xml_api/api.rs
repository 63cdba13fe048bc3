//! Calls of services that answer in XML.

use aws_credential_types::Credentials;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_types::SdkConfig;

use super::document::Element;
use super::error;
use super::query::QueryRequest;
use super::request::Request;
use crate::api_error::ApiError;
use crate::call_error::CallError;
use crate::operation::{Protocol, operation};
use crate::paging::Paging;
use crate::service::Service;

const PROTOCOL: Protocol<Request, Element> = Protocol { serialize: |request| request.to_http(), deserialize: answer };

/// A service that can be called, or why it cannot.
#[derive(Clone, Debug)]
pub(crate) struct Api(Result<Operation<Request, Element, ApiError>, CallError>);

impl Api {
    /// Prepares calls to a service in a Region.
    pub(crate) async fn new(service: Service, region: &str, credentials: &Credentials, config: &SdkConfig) -> Api {
        Api(operation(service, region, credentials, config, PROTOCOL).await)
    }

    /// Makes a call in the query protocol and returns the root of the answer.
    ///
    /// # Errors
    /// As [`Api::call`].
    pub(crate) async fn query(&self, service: Service, request: QueryRequest) -> Result<Element, CallError> {
        self.call(Request::Query { version: service.query_version(), request }).await
    }

    /// Makes a call and returns the root of the answer.
    ///
    /// # Errors
    /// When it cannot be made, is rejected, or cannot be read, after all retries.
    pub(crate) async fn call(&self, request: Request) -> Result<Element, CallError> {
        let operation = self.0.as_ref().map_err(Clone::clone)?;
        operation.invoke(request).await.map_err(CallError::from)
    }

    /// Makes a call until no page is left, and returns all pages. `next` names the element of an
    /// answer, and the parameter of a request, that leads to the next page.
    ///
    /// # Errors
    /// When any page fails: a listing is whole or not at all.
    pub(crate) async fn pages(&self, request: Request, next: (&str, &str)) -> Result<Vec<Element>, CallError> {
        let mut pages = Vec::new();
        let mut paging = Paging::default();
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

fn answer(response: &HttpResponse) -> Result<Element, OrchestratorError<ApiError>> {
    let body = String::from_utf8_lossy(response.body().bytes().unwrap_or_default());
    if !response.status().is_success() {
        return Err(OrchestratorError::operation(error::read(&body)));
    }
    Element::parse(&body).map_err(|why| OrchestratorError::response(format!("the XML cannot be read: {why}").into()))
}
