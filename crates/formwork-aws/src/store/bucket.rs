//! The bucket of uploads.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use super::interrupt::Interrupt;
use super::refusal::Permission;
use super::target::{PART, Target, Upload};
use super::{bucket_region, multipart, put};
use crate::aws_error::AwsError;
use crate::runtime::runtime_of;
use crate::s3::S3Request;
use crate::settings::{Settings, configured_region};

/// Parts in flight over all uploads: they bound the memory that uploads take.
const PARTS_IN_FLIGHT: usize = 10;
/// Time limit of one attempt. A slow line is not a reason to stop; the client detects a stalled one.
const ATTEMPT: Duration = Duration::from_mins(10);
const CALL: Duration = Duration::from_hours(1);

/// The result of looking up an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Holding {
    /// The object exists.
    There,
    /// The object does not exist.
    Missing,
    /// These credentials may not look it up, for this reason.
    Hidden(String),
}

/// A bucket, and the settings of uploads to it.
#[derive(Debug)]
pub struct Bucket {
    runtime: Runtime,
    target: Target,
}

impl Bucket {
    /// Finds a bucket, in whichever Region it is.
    ///
    /// # Errors
    /// When the credentials are missing or not accepted, when the bucket does not exist, or when S3 cannot be reached.
    pub fn open(settings: &Settings, name: &str, upload: Upload, interrupt: Interrupt) -> Result<Bucket, AwsError> {
        let region = configured_region(settings).unwrap_or_else(|| "us-east-1".to_owned());
        let settings = Settings {
            region: Some(region),
            attempt_timeout: ATTEMPT.max(settings.attempt_timeout),
            call_timeout: CALL.max(settings.call_timeout),
            ..settings.clone()
        };
        // Callers read and hash on threads of their own while others wait for the network.
        let runtime = runtime_of(2).map_err(|error| AwsError::no_runtime(&error))?;
        let client = runtime.block_on(async {
            tokio::select! {
                found = bucket_region::find(&settings, name) => found,
                () = interrupt.wait() => Err(AwsError::interrupted()),
            }
        })?;
        let slots = Arc::new(Semaphore::new(PARTS_IN_FLIGHT));
        let target = Target { client, upload, slots, interrupt };
        Ok(Bucket { runtime, target })
    }

    /// Returns the S3 endpoint in use, such as `https://s3.eu-west-1.amazonaws.com`.
    pub fn endpoint(&self) -> &str {
        &self.target.client.endpoint
    }

    /// Returns the Region of the bucket.
    pub fn region(&self) -> &str {
        &self.target.client.region
    }

    /// Looks up an object.
    ///
    /// # Errors
    /// When the look-up fails.
    pub fn holds(&self, key: &str) -> Result<Holding, AwsError> {
        let target = &self.target;
        self.runtime.block_on(async {
            let call = target.client.call(S3Request::of_object("HEAD", key));
            let answer = tokio::select! {
                answer = call => answer,
                () = target.interrupt.wait() => return Err(AwsError::interrupted()),
            };
            let Err(failure) = answer else { return Ok(Holding::There) };
            match failure.error.status {
                Some(404) => Ok(Holding::Missing),
                Some(403) => Ok(Holding::Hidden(format!(
                    "these credentials may not see which objects {} has: that needs s3:GetObject and s3:ListBucket",
                    target.client.bucket
                ))),
                _ => Err(target.aws_error(Permission::GetObject, failure)),
            }
        })
    }

    /// Stores an object of `size` bytes, whole or not at all. An existing object stays, unless `overwrites` is set.
    ///
    /// # Errors
    /// When the object cannot be stored, or the program is interrupted.
    pub fn put(&self, key: &str, content: &mut dyn Read, size: u64) -> Result<(), AwsError> {
        if size > PART as u64 {
            self.runtime.block_on(multipart::put(&self.target, key, content, size))
        } else {
            self.runtime.block_on(put::put(&self.target, key, content, size))
        }
    }
}
