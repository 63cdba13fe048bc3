//! Credentials, by the standard chain.

use aws_config::profile::ProfileFileCredentialsProvider;
use aws_config::provider_config::ProviderConfig;
use aws_credential_types::Credentials;
use aws_credential_types::provider::error::CredentialsError;
use aws_credential_types::provider::{ProvideCredentials, SharedCredentialsProvider};
use aws_smithy_runtime_api::client::http::SharedHttpClient;
use aws_types::SdkConfig;

use crate::aws_error::AwsError;
use crate::call_error::deepest;
use crate::settings::Settings;
use crate::{mfa, unusable};

/// Selects the provider of credentials. A configured profile takes precedence over keys in the environment, as with the
/// AWS CLI; the SDK's own chain would prefer the keys.
///
/// # Errors
/// When a role needs the code of an MFA device, and it is missing or not accepted.
pub(crate) async fn provider(
    settings: &Settings,
    config: &SdkConfig,
    http_client: SharedHttpClient,
) -> Result<Option<SharedCredentialsProvider>, AwsError> {
    if let Some(session) = mfa::credentials(settings, config, &http_client).await? {
        return Ok(Some(SharedCredentialsProvider::new(session)));
    }
    Ok(match &settings.profile {
        Some(profile) => {
            let provider =
                ProviderConfig::without_region().with_http_client(http_client).with_region(config.region().cloned());
            let profile = ProfileFileCredentialsProvider::builder().configure(&provider).profile_name(profile);
            Some(SharedCredentialsProvider::new(profile.build()))
        }
        None => config.credentials_provider(),
    })
}

/// Returns the credentials from the provider of a configuration. Errors name `profile`.
pub(crate) async fn of(config: &SdkConfig, profile: Option<&str>) -> Result<Credentials, AwsError> {
    let missing = || AwsError::no_credentials(profile, "no provider is configured".to_owned());
    let provider = config.credentials_provider().ok_or_else(missing)?;
    provider.provide_credentials().await.map_err(|_| missing())
}

pub(crate) async fn find(
    settings: &Settings,
    provider: Option<&SharedCredentialsProvider>,
) -> Result<Credentials, AwsError> {
    let found = match provider {
        Some(provider) => provider.provide_credentials().await,
        None => Err(CredentialsError::not_loaded_no_source()),
    };
    found.map_err(|error| {
        let detail = deepest(&error).unwrap_or_else(|| error.to_string());
        unusable::explain(settings, &detail)
            .unwrap_or_else(|| AwsError::no_credentials(settings.profile.as_deref(), detail))
    })
}
