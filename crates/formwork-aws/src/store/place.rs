//! Where a bucket is: its Region, and the endpoint that answers for it.

use std::time::Duration;

use aws_config::Region;
use aws_sdk_s3::Client;
use aws_sdk_s3::config::Builder;
use aws_sdk_s3::presigning::PresigningConfig;
use aws_types::SdkConfig;

use super::refusal::{self, Permission, Refused};
use crate::aws_error::AwsError;
use crate::call_error::{CallError, CallErrorKind};
use crate::configuration::configuration;
use crate::settings::Settings;

/// Where a bucket is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub(super) region: String,
    /// Scheme and host, without a slash at the end.
    pub(super) endpoint: String,
}

/// A client for the Region of a bucket.
pub(super) async fn find(settings: &Settings, name: &str) -> Result<(Client, Place), AwsError> {
    let (config, mut region) = configuration(settings).await?;
    let mut is_moved = false;
    loop {
        let (client, endpoint) = client(&config, &region).await?;
        match look(&client, name, &region).await {
            Ok(()) => return Ok((client, Place { region, endpoint })),
            Err(Unfit::Elsewhere(there)) if !is_moved => {
                region = there;
                is_moved = true;
            }
            Err(Unfit::Elsewhere(there)) => return Err(refusal::elsewhere(name, &region, &there)),
            Err(Unfit::AwsError(aws_error)) => return Err(*aws_error),
        }
    }
}

enum Unfit {
    Elsewhere(String),
    AwsError(Box<AwsError>),
}

/// Asks for the bucket. Credentials that may not see it may still write to it.
async fn look(client: &Client, name: &str, region: &str) -> Result<(), Unfit> {
    let unfit = |failure: CallError, refused: &Refused| {
        let aws_error = refusal::aws_error(name, region, None, Permission::ListBucket, refused, failure);
        Err(Unfit::AwsError(Box::new(aws_error)))
    };
    let error = match client.head_bucket().bucket(name).send().await {
        Ok(found) => {
            return match found.bucket_region().filter(|there| *there != region) {
                Some(there) => Err(Unfit::Elsewhere(there.to_owned())),
                None => Ok(()),
            };
        }
        Err(error) => error,
    };
    let refused = Refused::new(&error, error.raw_response());
    if let Some(there) = refused.region.as_ref().filter(|there| *there != region) {
        return Err(Unfit::Elsewhere(there.clone()));
    }
    if !matches!(refused.status, Some(400 | 403)) {
        return unfit(error.into(), &refused);
    }
    // An answer to HEAD has no body with the reason.
    let Err(error) = client.list_objects_v2().bucket(name).max_keys(1).send().await else { return Ok(()) };
    let refused = Refused::new(&error, error.raw_response());
    if let Some(there) = refused.region.as_ref().filter(|there| *there != region) {
        return Err(Unfit::Elsewhere(there.clone()));
    }
    let failure = CallError::from(error);
    if failure.kind == CallErrorKind::Denied { Ok(()) } else { unfit(failure, &refused) }
}

/// A client, and the endpoint that it asks.
async fn client(config: &SdkConfig, region: &str) -> Result<(Client, String), AwsError> {
    let build = |is_path_style: bool| {
        let builder = Builder::from(config).region(Region::new(region.to_owned()));
        Client::from_conf(builder.force_path_style(is_path_style).build())
    };
    let by_path = build(true);
    let endpoint = endpoint(&by_path).await?;
    let is_own = ![".amazonaws.com", ".amazonaws.com.cn"].iter().any(|domain| endpoint.ends_with(domain));
    // Endpoints of one's own seldom have a name for each bucket.
    Ok((if is_own { by_path } else { build(false) }, endpoint))
}

/// What a client derives from environment, profile and Region is known to the SDK alone: a signed
/// address shows it without a call.
async fn endpoint(client: &Client) -> Result<String, AwsError> {
    const BUCKET: &str = "/bucket/key";
    let unknown = |detail: String| AwsError::no_endpoint(detail);
    let expires = PresigningConfig::expires_in(Duration::from_mins(1)).map_err(|error| unknown(error.to_string()))?;
    let signed = client.get_object().bucket("bucket").key("key").presigned(expires).await;
    let signed = signed.map_err(|error| {
        let detail = crate::call_error::deepest(&error).unwrap_or_else(|| error.to_string());
        unknown(detail)
    })?;
    let address = signed.uri().split('?').next().unwrap_or_default();
    Ok(address.strip_suffix(BUCKET).unwrap_or(address).to_owned())
}

#[cfg(test)]
mod tests {
    use aws_config::BehaviorVersion;
    use aws_credential_types::Credentials;
    use aws_credential_types::provider::SharedCredentialsProvider;
    use aws_types::origin::Origin;

    use super::*;
    use crate::{http_client, runtime};

    fn config(endpoint: Option<&str>) -> SdkConfig {
        let credentials = Credentials::new("AKIDEXAMPLE", "secret", Some("token".to_owned()), None, "tests");
        let mut builder = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .http_client(http_client::client(&crate::trust::of_machine().expect("a store")))
            .credentials_provider(SharedCredentialsProvider::new(credentials));
        if let Some(endpoint) = endpoint {
            builder = builder.endpoint_url(endpoint);
            builder.insert_origin("endpoint_url", Origin::shared_config());
        }
        builder.build()
    }

    /// How a template names an object of the bucket depends on the endpoint
    /// (reference/packaging.md#upload).
    #[test]
    fn endpoints_of_regions_and_of_ones_own() {
        let runtime = runtime::runtime().expect("a runtime");
        for (own, region, endpoint) in [
            (None, "eu-west-1", "https://s3.eu-west-1.amazonaws.com"),
            (None, "us-east-1", "https://s3.us-east-1.amazonaws.com"),
            (None, "cn-north-1", "https://s3.cn-north-1.amazonaws.com.cn"),
            (Some("http://127.0.0.1:9000"), "eu-west-1", "http://127.0.0.1:9000"),
            (Some("https://store.example.com/s3/"), "eu-west-1", "https://store.example.com/s3"),
        ] {
            let made = runtime.block_on(client(&config(own), region)).expect("an endpoint");
            assert_eq!(made.1, endpoint, "{own:?} {region}");
        }
    }
}
