//! Where objects go, and how.

use std::sync::Arc;

use aws_sdk_s3::Client;
use aws_sdk_s3::types::ServerSideEncryption;
use tokio::sync::Semaphore;

use super::interrupt::Interrupt;
use super::place::Place;
use super::refusal::{Permission, Refused, aws_error};
use crate::aws_error::AwsError;
use crate::call_error::CallError;

/// Objects above this many bytes are uploaded in parts of this size.
pub(super) const PART: usize = 8 << 20;

/// How objects are stored.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Upload {
    /// The KMS key that encrypts them; without one S3 encrypts them with its own.
    pub kms_key_id: Option<String>,
    /// Metadata of every object.
    pub metadata: Vec<(String, String)>,
    /// Whether an object that is there is written again.
    pub overwrites: bool,
}

/// A bucket that was found, and what uploads to it share.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) client: Client,
    pub(super) name: String,
    pub(super) place: Place,
    pub(super) upload: Upload,
    /// One for each part that may be in flight.
    pub(super) slots: Arc<Semaphore>,
    pub(super) interrupt: Interrupt,
}

impl Target {
    /// Why a call for an object failed.
    pub(super) fn aws_error(&self, permission: Permission, refused: &Refused, failure: CallError) -> AwsError {
        aws_error(&self.name, &self.place.region, self.upload.kms_key_id.as_deref(), permission, refused, failure)
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
