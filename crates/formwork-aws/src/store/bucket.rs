//! A bucket at hand.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use aws_sdk_s3::Client;
use aws_sdk_s3::types::ServerSideEncryption;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use super::failure::{Permission, Refused};
use super::interrupt::Interrupt;
use super::place::{self, Place};
use super::{multipart, put};
use crate::settings::{Settings, configured_region};
use crate::trouble::Trouble;

/// Objects above this many bytes are uploaded in parts of this size.
pub(super) const PART: usize = 8 << 20;
/// Parts in flight over all uploads: they bound the memory that uploads take.
const PARTS_IN_FLIGHT: usize = 10;
/// How long one attempt may take. A slow line is no reason to give up; one that stands still is found
/// by the SDK.
const ATTEMPT: Duration = Duration::from_mins(10);
const CALL: Duration = Duration::from_hours(1);

/// How objects are stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Upload {
    /// The key of KMS that encrypts them; without one S3 encrypts them with its own.
    pub kms_key_id: Option<String>,
    /// Metadata of every object.
    pub metadata: Vec<(String, String)>,
    /// Whether an object that is there is written again.
    pub overwrites: bool,
}

/// Whether an object is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Holding {
    /// It is.
    There,
    /// It is not.
    Missing,
    /// These credentials may not know, for this reason.
    Hidden(String),
}

/// A bucket, and how objects are put into it.
#[derive(Debug)]
pub struct Bucket {
    runtime: Runtime,
    pub(super) client: Client,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) upload: Upload,
    pub(super) slots: Arc<Semaphore>,
    pub(super) interrupt: Interrupt,
}

impl Bucket {
    /// Finds a bucket, in whichever Region it is.
    ///
    /// # Errors
    /// When there are no credentials or they are not accepted, when there is no such bucket, or when S3
    /// cannot be reached.
    pub fn open(settings: &Settings, name: &str, upload: Upload, interrupt: Interrupt) -> Result<Bucket, Trouble> {
        let region = configured_region(settings).unwrap_or_else(|| "us-east-1".to_owned());
        let settings = Settings {
            region: Some(region),
            attempt_timeout: ATTEMPT.max(settings.attempt_timeout),
            call_timeout: CALL.max(settings.call_timeout),
            ..settings.clone()
        };
        // Callers read and hash on threads of their own while others wait for the network.
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build();
        let runtime = runtime.map_err(|error| Trouble::no_runtime(&error))?;
        let (client, place) = runtime.block_on(async {
            tokio::select! {
                found = place::find(&settings, name) => found,
                () = interrupt.wait() => Err(Trouble::interrupted()),
            }
        })?;
        let slots = Arc::new(Semaphore::new(PARTS_IN_FLIGHT));
        Ok(Bucket { runtime, client, name: name.to_owned(), place, upload, slots, interrupt })
    }

    /// The S3 endpoint in use, such as `https://s3.eu-west-1.amazonaws.com`.
    pub fn endpoint(&self) -> &str {
        &self.place.endpoint
    }

    /// The Region of the bucket.
    pub fn region(&self) -> &str {
        &self.place.region
    }

    /// Whether an object is there.
    ///
    /// # Errors
    /// When it cannot be found out.
    pub fn holds(&self, key: &str) -> Result<Holding, Trouble> {
        self.runtime.block_on(async {
            let call = self.client.head_object().bucket(&self.name).key(key).send();
            let answer = tokio::select! {
                answer = call => answer,
                () = self.interrupt.wait() => return Err(Trouble::interrupted()),
            };
            let Err(error) = answer else { return Ok(Holding::There) };
            match error.raw_response().map(|response| response.status().as_u16()) {
                Some(404) => Ok(Holding::Missing),
                Some(403) => Ok(Holding::Hidden(format!(
                    "these credentials may not see which objects {} has: s3:GetObject and s3:ListBucket tell",
                    self.name
                ))),
                _ => {
                    Err(self.trouble(Permission::GetObject, &Refused::new(&error, error.raw_response()), error.into()))
                }
            }
        })
    }

    /// Stores an object of `size` bytes, whole or not at all. One that is there by now stays, unless it
    /// is to be written again.
    ///
    /// # Errors
    /// When it cannot be stored, or the program is asked to end.
    pub fn put(&self, key: &str, content: &mut dyn Read, size: u64) -> Result<(), Trouble> {
        if size > PART as u64 {
            self.runtime.block_on(multipart::put(self, key, content, size))
        } else {
            self.runtime.block_on(put::put(self, key, content, size))
        }
    }

    /// How S3 encrypts objects.
    pub(super) fn encryption(&self) -> ServerSideEncryption {
        match self.upload.kms_key_id {
            Some(_) => ServerSideEncryption::AwsKms,
            None => ServerSideEncryption::Aes256,
        }
    }

    /// `*` where an object that is there stays.
    pub(super) fn only_if_missing(&self) -> Option<String> {
        (!self.upload.overwrites).then(|| "*".to_owned())
    }
}
