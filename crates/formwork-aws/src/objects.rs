//! Objects of S3 that are modules (reference/modules/sources.md#remote): read, never written.

use aws_config::Region;
use aws_sdk_s3::config::Builder;
use aws_types::SdkConfig;

use crate::aws_error::{AwsError, TRUST};
use crate::call_error::{CallError, CallErrorKind};
use crate::configuration::configuration;
use crate::runtime::runtime;
use crate::settings::Settings;

/// The header in which S3 names the Region of a bucket that lies elsewhere.
const BUCKET_REGION: &str = "x-amz-bucket-region";

/// Why an object was not read. No text of it holds a credential.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectError {
    /// It is larger than the limit.
    TooLarge,
    /// Anything else.
    Failed {
        /// What went wrong, in one line.
        why: String,
        /// What to do about it.
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

/// Reads an object, at most `limit` bytes of it.
///
/// # Errors
/// When there are no credentials, or the object cannot be read or is larger.
pub fn read_object(
    settings: &Settings,
    bucket: &str,
    key: &str,
    version: Option<&str>,
    limit: u64,
) -> Result<Vec<u8>, ObjectError> {
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        // The Region of the bucket is found out: any one does to begin with.
        let settings =
            Settings { region: settings.region.clone().or_else(|| Some("us-east-1".to_owned())), ..settings.clone() };
        let (config, _) = configuration(&settings).await?;
        let object = Object { bucket, key, version, limit };
        match object.read(&config, None).await {
            Err(Refused::Elsewhere(region)) => object.read(&config, Some(region)).await,
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
    /// The bucket is in another Region.
    Elsewhere(String),
    For(ObjectError),
}

impl Object<'_> {
    async fn read(&self, config: &SdkConfig, region: Option<String>) -> Result<Vec<u8>, Refused> {
        let mut builder = Builder::from(config);
        // Endpoints of one's own seldom have a name for each bucket.
        builder.set_force_path_style(config.endpoint_url().map(|_| true));
        let region = region.map(Region::new);
        if region.is_some() {
            builder.set_region(region.clone());
        }
        let client = aws_sdk_s3::Client::from_conf(builder.build());
        let call =
            client.get_object().bucket(self.bucket).key(self.key).set_version_id(self.version.map(str::to_owned));
        let output = match call.send().await {
            Ok(output) => output,
            Err(error) => {
                let elsewhere = error
                    .raw_response()
                    .filter(|_| region.is_none())
                    .and_then(|response| response.headers().get(BUCKET_REGION))
                    .filter(|found| Some(*found) != config.region().map(AsRef::as_ref));
                return Err(match elsewhere {
                    Some(region) => Refused::Elsewhere(region.to_owned()),
                    None => Refused::For(failed(error.into())),
                });
            }
        };
        let too_large = || Refused::For(ObjectError::TooLarge);
        if output.content_length().is_some_and(|length| length.unsigned_abs() > self.limit) {
            return Err(too_large());
        }
        let mut body = output.body;
        let mut bytes = Vec::new();
        while let Some(part) = body.next().await {
            let part = part.map_err(|error| {
                let why = format!("the object ended early: {error}");
                Refused::For(ObjectError::Failed { why, help: NETWORK.to_owned() })
            })?;
            if (bytes.len() + part.len()) as u64 > self.limit {
                return Err(too_large());
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }
}

/// What to do about a network that does not answer.
const NETWORK: &str = "check the network, the Region, HTTPS_PROXY and AWS_ENDPOINT_URL_S3";

/// Why S3 returned nothing: its code and sentence, or what failed on the way, and what to do.
fn failed(failure: CallError) -> ObjectError {
    let said = failure.sentence().unwrap_or("no reason is reported").to_owned();
    let said = failure.code.as_ref().map_or(said.clone(), |code| format!("{code}: {said}"));
    let (why, help) = match failure.kind {
        CallErrorKind::Credentials => return AwsError::rejected(failure.detail).into(),
        CallErrorKind::Denied => (said, "allow s3:GetObject for these credentials, or name others with `--profile`"),
        CallErrorKind::Throttled => (said, "try again later"),
        CallErrorKind::TimedOut => ("S3 does not answer in time".to_owned(), NETWORK),
        CallErrorKind::Unreachable => (format!("S3 cannot be reached: {said}"), NETWORK),
        CallErrorKind::Untrusted => (format!("the certificate of S3 is not trusted: {said}"), TRUST),
        CallErrorKind::Malformed | CallErrorKind::Endless => {
            (format!("the answer is not from S3: {said}"), "look at what answers: AWS_ENDPOINT_URL_S3, or a proxy")
        }
        CallErrorKind::Refused => (said, "check bucket, key and version"),
    };
    ObjectError::Failed { why, help: help.to_owned() }
}
