//! The destination and the settings of uploads.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::interrupt::Interrupt;
use super::refusal::{Permission, aws_error};
use crate::aws_error::AwsError;
use crate::s3::{Failure, S3Client, S3Request};

/// Objects above this many bytes are uploaded in parts of this size.
pub(super) const PART: usize = 8 << 20;

/// The settings of uploads.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Upload {
    /// The KMS key that encrypts objects; without one S3 encrypts them with its own.
    pub kms_key_id: Option<String>,
    /// Metadata of every object.
    pub metadata: Vec<(String, String)>,
    /// Overwrites existing objects.
    pub overwrites: bool,
}

#[derive(Debug)]
pub(super) struct Target {
    pub(super) client: S3Client,
    pub(super) upload: Upload,
    pub(super) slots: Arc<Semaphore>,
    pub(super) interrupt: Interrupt,
}

impl Target {
    pub(super) fn aws_error(&self, permission: Permission, failure: Failure) -> AwsError {
        aws_error(&self.client, self.upload.kms_key_id.as_deref(), permission, failure)
    }

    /// Adds the encryption and the metadata of the object.
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

    /// Makes a conditional request store nothing when the object exists.
    pub(super) fn only_if_missing(request: S3Request, is_conditional: bool) -> S3Request {
        if is_conditional { request.header("if-none-match", "*") } else { request }
    }
}
