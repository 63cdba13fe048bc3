//! Tests of calls against local servers.

mod answers;
mod contents;
mod requests;

use std::time::Duration;

use aws_config::BehaviorVersion;
use aws_credential_types::Credentials;
use aws_credential_types::provider::SharedCredentialsProvider;
use aws_smithy_async::rt::sleep::TokioSleep;
use aws_smithy_types::retry::RetryConfig;
use aws_types::SdkConfig;
use aws_types::origin::Origin;
use aws_types::sdk_config::Builder;

use crate::s3::S3Client;
use crate::{http_client, trust};

fn config() -> Builder {
    let credentials = Credentials::new("AKIDEXAMPLE", "secret", Some("token".to_owned()), None, "tests");
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .http_client(http_client::client(&trust::of_machine().expect("a store")))
        .sleep_impl(TokioSleep::new())
        .retry_config(RetryConfig::standard().with_initial_backoff(Duration::from_millis(5)))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
}

async fn bucket(url: &str, config: Builder) -> S3Client {
    let mut config = config.endpoint_url(url);
    config.insert_origin("endpoint_url", Origin::shared_config());
    S3Client::new("bucket", "eu-west-1", &config.build()).await.expect("a client")
}
