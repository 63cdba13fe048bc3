//! Calls of services, with the SDK's retries and timeouts.

use std::fmt;

use aws_credential_types::Credentials;
use aws_smithy_runtime::client::orchestrator::operation::{Operation, OperationBuilder};
use aws_smithy_runtime::client::retries::classifiers::{
    HttpStatusCodeClassifier, ModeledAsRetryableClassifier, TransientErrorClassifier,
};
use aws_smithy_runtime_api::box_error::BoxError;
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse, OrchestratorError};
use aws_smithy_types::retry::RetryConfig;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SdkConfig;

use crate::api_error::ApiError;
use crate::call_error::{CallError, CallErrorKind};
use crate::endpoint;
use crate::service::Service;
use crate::sign::Sign;

pub(crate) struct Protocol<R, D> {
    pub(crate) serialize: fn(R) -> Result<HttpRequest, BoxError>,
    pub(crate) deserialize: fn(&HttpResponse) -> Result<D, OrchestratorError<ApiError>>,
}

/// Prepares calls of a service in a Region. Each attempt has its own signature.
///
/// # Errors
/// When the service has no endpoint there.
pub(crate) async fn operation<R, D>(
    service: Service,
    region: &str,
    credentials: &Credentials,
    config: &SdkConfig,
    protocol: Protocol<R, D>,
) -> Result<Operation<R, D, ApiError>, CallError>
where
    R: Send + Sync + fmt::Debug + 'static,
    D: Send + Sync + fmt::Debug + 'static,
{
    let endpoint = endpoint::resolve(service, region, config).await.map_err(unreachable)?;
    let builder = builder(service, &endpoint.url, &endpoint.signing_region, credentials, config)?;
    Ok(builder.serializer(protocol.serialize).deserializer(protocol.deserialize).build())
}

/// Returns the protocol-independent part of calls to a URL.
///
/// # Errors
/// When the configuration has no HTTP client.
pub(crate) fn builder(
    service: Service,
    url: &str,
    signing_region: &str,
    credentials: &Credentials,
    config: &SdkConfig,
) -> Result<OperationBuilder, CallError> {
    let (Some(http_client), Some(sleep)) = (config.http_client(), config.sleep_impl()) else {
        return Err(unreachable("there is no HTTP client".to_owned()));
    };
    Ok(Operation::builder()
        .service_name(service.signing_name())
        .operation_name("call")
        .http_client(http_client)
        .endpoint_url(url)
        .no_auth()
        .interceptor(Sign::new(credentials, service, signing_region.to_owned()))
        .standard_retry(&config.retry_config().cloned().unwrap_or_else(RetryConfig::standard))
        .retry_classifier(TransientErrorClassifier::<ApiError>::new())
        .retry_classifier(ModeledAsRetryableClassifier::<ApiError>::new())
        .retry_classifier(HttpStatusCodeClassifier::default())
        .timeout_config(config.timeout_config().cloned().unwrap_or_else(|| TimeoutConfig::builder().build()))
        .sleep_impl(sleep)
        .time_source(config.time_source().unwrap_or_default()))
}

fn unreachable(why: String) -> CallError {
    CallError::of(CallErrorKind::Unreachable, Some(why))
}
