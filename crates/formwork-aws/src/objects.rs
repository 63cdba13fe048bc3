//! Objects of S3 that are modules (spec modules.md, section 6.1): read, never written.

use aws_config::Region;
use aws_sdk_s3::config::Builder;
use aws_sdk_s3::error::SdkError;
use aws_smithy_types::error::metadata::ProvideErrorMetadata;
use aws_types::SdkConfig;

use crate::connection::{configuration, runtime};
use crate::settings::Settings;

/// The header in which S3 names the Region of a bucket that lies elsewhere.
const BUCKET_REGION: &str = "x-amz-bucket-region";

/// Reads an object, at most `limit` bytes of it. The error is one line, without credentials.
///
/// # Errors
/// When there are no credentials, or the object cannot be read or is larger.
pub fn read_object(
    settings: &Settings,
    bucket: &str,
    key: &str,
    version: Option<&str>,
    limit: u64,
) -> Result<Vec<u8>, String> {
    let runtime = runtime().map_err(|error| error.to_string())?;
    runtime.block_on(async {
        // The Region of the bucket is found out: any one does to begin with.
        let settings =
            Settings { region: settings.region.clone().or_else(|| Some("us-east-1".to_owned())), ..settings.clone() };
        let (config, _) = configuration(&settings).await.map_err(|trouble| trouble.message)?;
        let object = Object { bucket, key, version, limit };
        match object.read(&config, None).await {
            Err(Refused::Elsewhere(region)) => object.read(&config, Some(region)).await,
            result => result,
        }
        .map_err(|refused| match refused {
            Refused::Elsewhere(region) => format!("the bucket is in {region}"),
            Refused::Words(words) => words,
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
    Words(String),
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
                    None => Refused::Words(words(&error)),
                });
            }
        };
        let too_large = || Refused::Words(format!("it is larger than the limit of {} bytes", self.limit));
        if output.content_length().is_some_and(|length| length.unsigned_abs() > self.limit) {
            return Err(too_large());
        }
        let mut body = output.body;
        let mut bytes = Vec::new();
        while let Some(part) = body.next().await {
            let part = part.map_err(|error| Refused::Words(format!("the object broke off: {error}")))?;
            if (bytes.len() + part.len()) as u64 > self.limit {
                return Err(too_large());
            }
            bytes.extend_from_slice(&part);
        }
        Ok(bytes)
    }
}

/// Why S3 gave nothing: its code and sentence, or what went wrong on the way.
fn words<E: ProvideErrorMetadata>(error: &SdkError<E>) -> String {
    match (error.code(), error.message()) {
        (Some(code), Some(message)) => format!("{code}: {message}"),
        (Some(code), None) => code.to_owned(),
        _ => match error {
            SdkError::TimeoutError(_) => "S3 took too long".to_owned(),
            SdkError::DispatchFailure(_) => "S3 cannot be reached".to_owned(),
            _ => "S3 refused".to_owned(),
        },
    }
}
