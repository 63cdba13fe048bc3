//! The client of one bucket.

use std::time::Duration;

use aws_credential_types::Credentials;
use aws_smithy_runtime::client::orchestrator::operation::{Operation, OperationBuilder};
use aws_smithy_runtime::client::stalled_stream_protection::StalledStreamProtectionInterceptor;
use aws_smithy_runtime_api::client::stalled_stream_protection::StalledStreamProtectionConfig;
use aws_types::SdkConfig;

use super::address::Address;
use super::answer::{self, Answer};
use super::content::{Content, Reading};
use super::failure::Failure;
use super::request::S3Request;
use crate::api_error::ApiError;
use crate::aws_error::AwsError;
use crate::service::Service;
use crate::{credentials, operation};

/// Longest time without progress of a request. Systems accept bodies in large pieces: on a slow line that several
/// uploads share, none may be accepted for many seconds.
const UPLOAD_STALL: Duration = Duration::from_mins(1);
const DOWNLOAD_STALL: Duration = Duration::from_secs(20);

#[derive(Clone, Debug)]
pub(crate) struct S3Client {
    pub(crate) bucket: String,
    pub(crate) region: String,
    /// Without a trailing slash.
    pub(crate) endpoint: String,
    calls: Operation<S3Request, Answer, ApiError>,
    reads: Operation<S3Request, Content, ApiError>,
}

impl S3Client {
    /// Prepares calls with the credentials, retries, timeouts and endpoints of `config`. Nothing is sent yet.
    ///
    /// # Errors
    /// When the credentials are missing, when no endpoint is known, or when the name is not that of a bucket.
    pub(crate) async fn new(bucket: &str, region: &str, config: &SdkConfig) -> Result<S3Client, AwsError> {
        let credentials = credentials::of(config, None).await?;
        let address = Address::find(bucket, region, config).await?;
        let calls = builder(&address, &credentials, config, UPLOAD_STALL)?.deserializer(answer::read).build();
        let reads = builder(&address, &credentials, config, DOWNLOAD_STALL)?.deserializer_impl(Reading).build();
        let (bucket, region) = (bucket.to_owned(), region.to_owned());
        Ok(S3Client { bucket, region, endpoint: address.endpoint, calls, reads })
    }

    pub(crate) async fn call(&self, request: S3Request) -> Result<Answer, Failure> {
        self.calls.invoke(request).await.map_err(Failure::from)
    }

    /// Makes a call whose response is the content of an object.
    pub(crate) async fn read(&self, request: S3Request) -> Result<Content, Failure> {
        self.reads.invoke(request).await.map_err(Failure::from)
    }
}

/// Creates a builder of calls. A call without progress for `stall` fails: otherwise an upload would wait for the
/// timeout of its attempt, which is long, and a download forever. A failed connection is not used again.
fn builder(
    address: &Address,
    credentials: &Credentials,
    config: &SdkConfig,
    stall: Duration,
) -> Result<OperationBuilder<S3Request>, AwsError> {
    let (url, region) = (&address.bucket_url, &address.signing_region);
    let builder = operation::builder(Service::S3, url, region, credentials, config);
    let builder = builder.map_err(|error| AwsError::no_endpoint(error.to_string()))?;
    let protection = config.stalled_stream_protection();
    Ok(builder
        .stalled_stream_protection(
            protection.unwrap_or_else(|| StalledStreamProtectionConfig::enabled().grace_period(stall).build()),
        )
        .interceptor(StalledStreamProtectionInterceptor::default())
        .with_connection_poisoning()
        .serializer(|request: S3Request| request.to_http()))
}
