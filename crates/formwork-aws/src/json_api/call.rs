//! Calls of services with JSON protocols.

use aws_credential_types::Credentials;
use aws_smithy_runtime::client::orchestrator::operation::Operation;
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_types::SdkConfig;
use serde_json::Value;

use super::error;
use super::request::JsonRequest;
use crate::api_error::ApiError;
use crate::call_error::CallError;
use crate::operation::{Protocol, operation};
use crate::service::Service;

const PROTOCOL: Protocol<JsonRequest, Value> = Protocol { serialize: |request| request.to_http(), deserialize: answer };

/// A service that can be called, or why it cannot.
#[derive(Clone, Debug)]
pub(crate) struct JsonApi(Result<Operation<JsonRequest, Value, ApiError>, CallError>);

impl JsonApi {
    pub(crate) async fn new(service: Service, region: &str, credentials: &Credentials, config: &SdkConfig) -> JsonApi {
        JsonApi(operation(service, region, credentials, config, PROTOCOL).await)
    }

    /// Makes a call and returns the response, null when it has no body.
    pub(crate) async fn call(&self, request: JsonRequest) -> Result<Value, CallError> {
        let operation = self.0.as_ref().map_err(Clone::clone)?;
        operation.invoke(request).await.map_err(CallError::from)
    }
}

fn answer(response: &HttpResponse) -> Result<Value, OrchestratorError<ApiError>> {
    if !response.status().is_success() {
        return Err(OrchestratorError::operation(error::read(response)));
    }
    match response.body().bytes().unwrap_or_default() {
        [] => Ok(Value::Null),
        body => serde_json::from_slice(body)
            .map_err(|why| OrchestratorError::response(format!("the JSON cannot be read: {why}").into())),
    }
}
