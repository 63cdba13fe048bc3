//! Clients of the services.

use aws_types::SdkConfig;

use crate::aws_error::AwsError;
use crate::credentials;
use crate::json_api::JsonApi;
use crate::paging::Pages;
use crate::service::Service;
use crate::xml_api::Api;

#[derive(Debug)]
pub(crate) struct Clients {
    pub(crate) ec2: Api,
    pub(crate) route53: Api,
    pub(crate) ssm: JsonApi,
    pub(crate) sts: Api,
    pub(crate) cloudformation: Api,
    pub(crate) pages: Pages,
}

impl Clients {
    pub(crate) async fn new(config: &SdkConfig, region: &str) -> Result<Clients, AwsError> {
        let credentials = credentials::of(config, None).await?;
        Ok(Clients {
            ec2: Api::new(Service::Ec2, region, &credentials, config).await,
            route53: Api::new(Service::Route53, region, &credentials, config).await,
            ssm: JsonApi::new(Service::Ssm, region, &credentials, config).await,
            sts: Api::new(Service::Sts, region, &credentials, config).await,
            cloudformation: Api::new(Service::CloudFormation, region, &credentials, config).await,
            pages: Pages::default(),
        })
    }
}
