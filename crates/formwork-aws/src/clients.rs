//! The services that are asked.

use aws_credential_types::provider::ProvideCredentials;
use aws_types::SdkConfig;

use crate::aws_error::AwsError;
use crate::json_api::JsonApi;
use crate::service::Service;
use crate::xml_api::Api;

/// A client for each service.
#[derive(Debug)]
pub(crate) struct Clients {
    pub(crate) ec2: Api,
    pub(crate) route53: Api,
    pub(crate) ssm: JsonApi,
    pub(crate) sts: Api,
    pub(crate) cloudformation: Api,
}

impl Clients {
    /// Clients with the credentials, retries, timeouts and endpoints of `config`.
    pub(crate) async fn new(config: &SdkConfig, region: &str) -> Result<Clients, AwsError> {
        let missing = || AwsError::no_credentials(None, "no provider is configured".to_owned());
        let provider = config.credentials_provider().ok_or_else(missing)?;
        let credentials = provider.provide_credentials().await.map_err(|_| missing())?;
        Ok(Clients {
            ec2: Api::new(Service::Ec2, region, &credentials, config).await,
            route53: Api::new(Service::Route53, region, &credentials, config).await,
            ssm: JsonApi::new(Service::Ssm, region, &credentials, config).await,
            sts: Api::new(Service::Sts, region, &credentials, config).await,
            cloudformation: Api::new(Service::CloudFormation, region, &credentials, config).await,
        })
    }
}
