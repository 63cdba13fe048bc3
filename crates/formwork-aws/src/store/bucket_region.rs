//! Finds the Region of a bucket.

use super::refusal::{self, Permission};
use crate::aws_error::AwsError;
use crate::call_error::CallErrorKind;
use crate::configuration::configuration;
use crate::s3::{Failure, S3Client, S3Request};
use crate::settings::Settings;

pub(super) async fn find(settings: &Settings, name: &str) -> Result<S3Client, AwsError> {
    let (config, mut region) = configuration(settings).await?;
    let mut is_moved = false;
    loop {
        let client = S3Client::new(name, &region, &config).await?;
        match look(&client).await {
            Ok(()) => return Ok(client),
            Err(Unfit::Elsewhere(there)) if !is_moved => {
                region = there;
                is_moved = true;
            }
            Err(Unfit::Elsewhere(there)) => return Err(refusal::elsewhere(name, &region, &there)),
            Err(Unfit::Refused(failure)) => {
                return Err(refusal::aws_error(&client, None, Permission::ListBucket, failure));
            }
        }
    }
}

enum Unfit {
    Elsewhere(String),
    Refused(Failure),
}

impl Unfit {
    fn new(client: &S3Client, failure: Failure) -> Unfit {
        match failure.elsewhere(&client.region) {
            Some(there) => Unfit::Elsewhere(there.to_owned()),
            None => Unfit::Refused(failure),
        }
    }
}

/// Checks access to the bucket. Credentials that may not see it may still write to it.
async fn look(client: &S3Client) -> Result<(), Unfit> {
    let failure = match client.call(S3Request::of_bucket("HEAD")).await {
        Ok(found) => {
            return match found.bucket_region().filter(|there| *there != client.region) {
                Some(there) => Err(Unfit::Elsewhere(there.to_owned())),
                None => Ok(()),
            };
        }
        Err(failure) => Unfit::new(client, failure),
    };
    if !matches!(&failure, Unfit::Refused(refused) if matches!(refused.error.status, Some(400 | 403))) {
        return Err(failure);
    }
    // A response to HEAD has no body with the reason.
    let list = S3Request::of_bucket("GET").query("list-type", "2").query("max-keys", "1");
    let Err(failure) = client.call(list).await else { return Ok(()) };
    match Unfit::new(client, failure) {
        Unfit::Refused(refused) if refused.error.kind == CallErrorKind::Denied => Ok(()),
        unfit => Err(unfit),
    }
}
