//! The asynchronous interface to services with JSON protocols.

use aws_types::SdkConfig;
use serde_json::Value;

use super::call::JsonApi;
use super::request::JsonRequest;
use crate::call_error::{CallError, CallErrorKind};
use crate::endpoint;
use crate::lasting_credentials::LastingCredentials;
use crate::service::Service;

/// Services with JSON protocols, in one account and Region. Credentials are refreshed before they expire.
#[derive(Debug)]
pub struct JsonServices {
    config: SdkConfig,
    region: String,
    credentials: LastingCredentials,
}

impl JsonServices {
    /// Creates clients with the credentials, retries, timeouts and endpoints of `config`. Nothing is sent yet.
    pub fn new(config: &SdkConfig, region: &str) -> JsonServices {
        JsonServices { config: config.clone(), region: region.to_owned(), credentials: LastingCredentials::default() }
    }

    /// Makes a call and returns the response, null when it has no body.
    ///
    /// # Errors
    /// When the call cannot be made, is rejected, or its response cannot be read, after all retries.
    pub async fn call(&self, service: Service, request: JsonRequest) -> Result<Value, CallError> {
        let credentials = self.credentials.find(&self.config).await?;
        let answer = JsonApi::new(service, &self.region, &credentials, &self.config).await.call(request).await;
        match answer {
            Err(failure) if failure.kind == CallErrorKind::Unreachable => {
                let endpoint = endpoint::resolve(service, &self.region, &self.config).await;
                Err(endpoint.map_or(failure.clone(), |endpoint| failure.at(&endpoint.url)))
            }
            answer => answer,
        }
    }
}
