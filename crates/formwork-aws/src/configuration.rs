//! Finds the configuration of calls by the standard chain of the SDK.

use aws_config::{BehaviorVersion, Region};
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_smithy_types::timeout::TimeoutConfig;
use aws_types::SdkConfig;
use formwork_template::ecr::is_region;

use crate::aws_error::AwsError;
use crate::settings::Settings;
use crate::{credentials, http_client, trust, unusable};

/// Returns the configuration of calls, by the standard chain, and the Region. Credentials are looked up once.
pub(crate) async fn configuration(settings: &Settings) -> Result<(SdkConfig, String), AwsError> {
    let (config, region, http_client) = load(settings).await?;
    let provider = credentials::provider(settings, &config, http_client).await?;
    let credentials = credentials::find(settings, provider.as_ref()).await?;
    let config = config.into_builder().credentials_provider(SharedCredentialsProvider::new(credentials)).build();
    Ok((config, region))
}

pub(crate) async fn credentials_alone(settings: &Settings) -> Result<Credentials, AwsError> {
    let (config, _, http_client) = load(settings).await?;
    let provider = credentials::provider(settings, &config, http_client).await?;
    credentials::find(settings, provider.as_ref()).await
}

/// Returns the configuration of calls over a long time, and the Region: credentials are refreshed before they expire.
///
/// # Errors
/// When the Region or the credentials are missing.
pub async fn lasting_configuration(settings: &Settings) -> Result<(SdkConfig, String), AwsError> {
    let (config, region, http_client) = load(settings).await?;
    let provider = credentials::provider(settings, &config, http_client).await?;
    credentials::find(settings, provider.as_ref()).await?;
    let mut builder = config.into_builder();
    builder.set_credentials_provider(provider);
    Ok((builder.build(), region))
}

/// Loads the settings of environment and profile; those of the caller take precedence.
async fn load(settings: &Settings) -> Result<(SdkConfig, String, SharedHttpClient), AwsError> {
    let timeouts = TimeoutConfig::builder()
        .operation_attempt_timeout(settings.attempt_timeout)
        .operation_timeout(settings.call_timeout)
        .build();
    let http_client = if settings.verifies_certificates {
        http_client::client(&trust::find(settings).await?)
    } else {
        http_client::unverified(&trust::of_machine()?)
    };
    let mut loader =
        aws_config::defaults(BehaviorVersion::latest()).http_client(http_client.clone()).timeout_config(timeouts);
    if let Some(region) = &settings.region {
        loader = loader.region(Region::new(region.clone()));
    }
    if let Some(profile) = &settings.profile {
        loader = loader.profile_name(profile);
    }
    if let Some(url) = &settings.endpoint_url {
        loader = loader.endpoint_url(url);
    }
    let config = loader.load().await;
    if let Some(error) = unusable::endpoint(settings, config.endpoint_url()) {
        return Err(error);
    }
    // An empty environment variable counts as unset.
    let region = config.region().map(ToString::to_string).filter(|region| !region.is_empty());
    let region = region.ok_or_else(|| unusable::broken_file().unwrap_or_else(AwsError::no_region))?;
    // Host names of signed requests contain the Region.
    if !is_region(&region) {
        return Err(AwsError::unfit_region(&region));
    }
    Ok((config, region, http_client))
}
