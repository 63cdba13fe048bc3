//! Reads modules from S3 (reference/modules/sources.md#remote); never writes.

use aws_types::SdkConfig;

use crate::aws_error::{AwsError, TRUST};
use crate::call_error::{CallError, CallErrorKind};
use crate::configuration::configuration;
use crate::runtime::runtime;
use crate::s3::{S3Client, S3Request, Unread};
use crate::settings::Settings;

/// The error of reading an object. Its strings contain no credential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectError {
    /// The object is larger than the limit.
    TooLarge,
    /// Any other error.
    Failed {
        /// The error, in one line.
        why: String,
        /// Advice for the user.
        help: String,
    },
}

impl From<AwsError> for ObjectError {
    fn from(aws_error: AwsError) -> ObjectError {
        let why = match aws_error.detail {
            Some(detail) => format!("{}: {detail}", aws_error.message),
            None => aws_error.message,
        };
        ObjectError::Failed { why, help: aws_error.help }
    }
}

/// Reads an object of at most `limit` bytes.
///
/// # Errors
/// When the credentials are missing, or the object cannot be read or is larger.
pub fn read_object(
    settings: &Settings,
    bucket: &str,
    key: &str,
    version: Option<&str>,
    limit: u64,
) -> Result<Vec<u8>, ObjectError> {
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        // Any Region will do until that of the bucket is known.
        let settings =
            Settings { region: settings.region.clone().or_else(|| Some("us-east-1".to_owned())), ..settings.clone() };
        let (config, region) = configuration(&settings).await?;
        let object = Object { bucket, key, version, limit };
        match object.read(&config, &region, false).await {
            Err(Refused::Elsewhere(region)) => object.read(&config, &region, true).await,
            result => result,
        }
        .map_err(|refused| match refused {
            Refused::Elsewhere(region) => ObjectError::Failed {
                why: format!("the bucket is in {region}"),
                help: format!("name the Region of the bucket with `--region {region}`"),
            },
            Refused::For(error) => error,
        })
    })
}

struct Object<'o> {
    bucket: &'o str,
    key: &'o str,
    version: Option<&'o str>,
    limit: u64,
}

enum Refused {
    Elsewhere(String),
    For(ObjectError),
}

impl Object<'_> {
    async fn read(&self, config: &SdkConfig, region: &str, is_moved: bool) -> Result<Vec<u8>, Refused> {
        let client = S3Client::new(self.bucket, region, config).await.map_err(|error| Refused::For(error.into()))?;
        let mut request = S3Request::of_object("GET", self.key).header("x-amz-checksum-mode", "ENABLED");
        if let Some(version) = self.version {
            request = request.query("versionId", version);
        }
        let content = match client.read(request).await {
            Ok(content) => content,
            Err(failure) => {
                let elsewhere = failure.elsewhere(region).filter(|_| !is_moved).map(str::to_owned);
                return Err(elsewhere.map_or_else(|| Refused::For(failed(&failure.error)), Refused::Elsewhere));
            }
        };
        content.read(self.limit).await.map_err(|unread| Refused::For(of_content(unread)))
    }
}

fn of_content(unread: Unread) -> ObjectError {
    let (why, help) = match unread {
        Unread::TooLarge => return ObjectError::TooLarge,
        Unread::Broken(why) => (format!("the object ended early: {why}"), NETWORK),
        Unread::Altered { expected, actual } => (
            format!("what arrived is not the object: its SHA-256 is {actual}, and S3 reports {expected}"),
            "try again; if that happens again, look at the proxies between here and S3",
        ),
    };
    ObjectError::Failed { why, help: help.to_owned() }
}

const NETWORK: &str = "check the network, the Region, HTTPS_PROXY and AWS_ENDPOINT_URL_S3";

/// Creates the error of a failed call: the code and sentence of S3, or the reason of the transport, and advice.
fn failed(failure: &CallError) -> ObjectError {
    let reason = failure.sentence().unwrap_or("no reason is reported").to_owned();
    let reason = failure.code.as_ref().map_or(reason.clone(), |code| format!("{code}: {reason}"));
    let (why, help) = match failure.kind {
        CallErrorKind::Credentials => return AwsError::rejected(failure).into(),
        CallErrorKind::Denied => (reason, "allow s3:GetObject for these credentials, or name others with `--profile`"),
        CallErrorKind::Throttled => (reason, "try again later"),
        CallErrorKind::TimedOut => ("S3 does not answer in time".to_owned(), NETWORK),
        CallErrorKind::Unreachable => (format!("S3 cannot be reached: {reason}"), NETWORK),
        CallErrorKind::Untrusted => (format!("the certificate of S3 is not trusted: {reason}"), TRUST),
        CallErrorKind::Malformed | CallErrorKind::Endless => {
            (format!("the answer is not from S3: {reason}"), "look at what answers: AWS_ENDPOINT_URL_S3, or a proxy")
        }
        CallErrorKind::Refused => (reason, "check bucket, key and version"),
    };
    ObjectError::Failed { why, help: help.to_owned() }
}
