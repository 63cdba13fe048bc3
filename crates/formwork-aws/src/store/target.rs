//! Where objects go, and how.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::interrupt::Interrupt;
use super::refusal::{Permission, aws_error};
use crate::aws_error::AwsError;
use crate::s3::{Failure, S3Client, S3Request};

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
    pub(super) client: S3Client,
    pub(super) upload: Upload,
    /// One for each part that may be in flight.
    pub(super) slots: Arc<Semaphore>,
    pub(super) interrupt: Interrupt,
}

impl Target {
    /// Why a call for an object failed.
    pub(super) fn aws_error(&self, permission: Permission, failure: Failure) -> AwsError {
        aws_error(&self.client, self.upload.kms_key_id.as_deref(), permission, failure)
    }

    /// The same request with how S3 encrypts the object, and its metadata.
    pub(super) fn described(&self, request: S3Request) -> S3Request {
        const ENCRYPTION: &str = "x-amz-server-side-encryption";
        let request = match &self.upload.kms_key_id {
            Some(key) => {
                request.header(ENCRYPTION, "aws:kms").header("x-amz-server-side-encryption-aws-kms-key-id", key)
            }
            None => request.header(ENCRYPTION, "AES256"),
        };
        let metadata = self.upload.metadata.iter();
        metadata.fold(request, |request, (name, value)| request.header(format!("x-amz-meta-{name}"), value))
    }

    /// The same request, which stores nothing when the object is there; unless objects are written again.
    pub(super) fn only_if_missing(request: S3Request, is_conditional: bool) -> S3Request {
        if is_conditional { request.header("if-none-match", "*") } else { request }
    }
}
