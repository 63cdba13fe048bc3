//! Calls CloudFormation in the query protocol.

use aws_smithy_types::retry::RetryConfig;
use aws_types::SdkConfig;

use crate::call_error::CallError;
use crate::lasting_credentials::LastingCredentials;
use crate::service::Service;
use crate::xml_api::{Api, Element, QueryRequest};

/// CloudFormation in one account and Region. Credentials are refreshed before they expire.
#[derive(Debug)]
pub struct CloudFormation {
    config: SdkConfig,
    region: String,
    credentials: LastingCredentials,
}

impl CloudFormation {
    /// Creates a client with the credentials, retries, timeouts and endpoints of `config`. Nothing is sent yet.
    pub fn new(config: &SdkConfig, region: &str) -> CloudFormation {
        CloudFormation { config: config.clone(), region: region.to_owned(), credentials: LastingCredentials::default() }
    }

    /// Makes a call and returns its result: the element `DescribeStacksResult` of the response. A call without result
    /// returns an empty element.
    ///
    /// # Errors
    /// When the call cannot be made, is rejected, or its response cannot be read, after all retries.
    pub async fn call(&self, request: QueryRequest) -> Result<Element, CallError> {
        self.call_with(&self.config, request).await
    }

    /// Makes a call in a single attempt: for calls that the endpoint may not support.
    ///
    /// # Errors
    /// As [`CloudFormation::call`], without any retry.
    pub async fn call_once(&self, request: QueryRequest) -> Result<Element, CallError> {
        let config = self.config.to_builder().retry_config(RetryConfig::disabled()).build();
        self.call_with(&config, request).await
    }

    async fn call_with(&self, config: &SdkConfig, request: QueryRequest) -> Result<Element, CallError> {
        let credentials = self.credentials.find(&self.config).await?;
        let api = Api::new(Service::CloudFormation, &self.region, &credentials, config).await;
        api.call(api.query(request)).await
    }

    /// Returns the account of the credentials.
    ///
    /// # Errors
    /// When STS cannot be called, rejects the call, or returns no account.
    pub async fn account(&self) -> Result<String, CallError> {
        let credentials = self.credentials.find(&self.config).await?;
        let api = Api::new(Service::Sts, &self.region, &credentials, &self.config).await;
        let identity = api.call(api.query(QueryRequest::new("GetCallerIdentity"))).await?;
        let account = identity.string_of("Account").filter(|account| !account.is_empty());
        account.ok_or_else(|| CallError::malformed("it names no account"))
    }
}
