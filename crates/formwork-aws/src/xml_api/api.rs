//! Calls: request out, answer in, with the SDK's retries and timeouts.

use std::fmt;

use aws_credential_types::Credentials;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime::client::retries::classifiers::{
    HttpStatusCodeClassifier, ModeledAsRetryableClassifier, TransientErrorClassifier,
};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SdkConfig;

use super::document::Element;
use super::error::ApiError;
use super::request::Request;
use crate::call_error::{CallError, CallErrorKind};
use crate::endpoint;
use crate::paging::Paging;
use crate::service::Service;
use crate::sign::Sign;

/// The root of an answer.
pub(crate) trait Document: Sized + Send + Sync + fmt::Debug + 'static {
    /// Reads an answer.
    ///
    /// # Errors
    /// When it is not one: what is wrong.
    fn parse(text: &str) -> Result<Self, String>;
}

impl Document for Element {
    fn parse(text: &str) -> Result<Element, String> {
        Element::parse(text).map_err(|why| format!("the XML cannot be read: {why}"))
    }
}

impl Document for serde_json::Value {
    fn parse(text: &str) -> Result<serde_json::Value, String> {
        serde_json::from_str(text).map_err(|why| format!("the JSON cannot be read: {why}"))
    }
}

/// A service that can be called, or why it cannot.
#[derive(Clone, Debug)]
pub(crate) struct Api<D = Element>(Result<Operation<Request, D, ApiError>, CallError>);

impl<D: Document> Api<D> {
    /// Prepares calls to a service in a Region.
    pub(crate) async fn new(service: Service, region: &str, credentials: &Credentials, config: &SdkConfig) -> Api<D> {
        let endpoint = match endpoint::resolve(service, region, config).await {
            Ok(endpoint) => endpoint,
            Err(why) => return Api(Err(CallError::of(CallErrorKind::Unreachable, Some(why)))),
        };
        let (Some(http_client), Some(sleep)) = (config.http_client(), config.sleep_impl()) else {
            let detail = Some("there is no HTTP client".to_owned());
            return Api(Err(CallError::of(CallErrorKind::Unreachable, detail)));
        };
        let operation = Operation::builder()
            .service_name(service.signing_name())
            .operation_name("list")
            .http_client(http_client)
            .endpoint_url(&endpoint.url)
            .no_auth()
            .interceptor(Sign::new(credentials, service.signing_name(), endpoint.signing_region))
            .standard_retry(&config.retry_config().cloned().unwrap_or_else(RetryConfig::standard))
            .retry_classifier(TransientErrorClassifier::<ApiError>::new())
            .retry_classifier(ModeledAsRetryableClassifier::<ApiError>::new())
            .retry_classifier(HttpStatusCodeClassifier::default())
            .timeout_config(config.timeout_config().cloned().unwrap_or_else(|| TimeoutConfig::builder().build()))
            .sleep_impl(sleep)
            .time_source(config.time_source().unwrap_or_default())
            .serializer(|request: Request| request.to_http())
            .deserializer(answer::<D>)
            .build();
        Api(Ok(operation))
    }

    /// Makes a call and returns the root of the answer.
    ///
    /// # Errors
    /// When it cannot be made, is refused, or cannot be read, after all retries.
    pub(crate) async fn call(&self, request: Request) -> Result<D, CallError> {
        let operation = self.0.as_ref().map_err(Clone::clone)?;
        operation.invoke(request).await.map_err(CallError::from)
    }
}

impl Api {
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

fn answer<D: Document>(response: &HttpResponse) -> Result<D, OrchestratorError<ApiError>> {
    let body = String::from_utf8_lossy(response.body().bytes().unwrap_or_default());
    let status = response.status();
    if !status.is_success() {
        return Err(OrchestratorError::operation(ApiError::new(&body)));
    }
    D::parse(&body).map_err(|why| OrchestratorError::response(why.into()))
}
