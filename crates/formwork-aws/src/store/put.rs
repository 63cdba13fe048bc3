//! An object in one piece.

use std::io::Read;

use aws_sdk_s3::error::SdkError;
use aws_sdk_s3::operation::put_object::{PutObjectError, PutObjectOutput};
use aws_sdk_s3::primitives::ByteStream;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use bytes::Bytes;
use sha2::{Digest, Sha256};

use super::refusal::{Permission, Refused};
use super::target::Target;
use crate::aws_error::AwsError;

/// Stores an object that fits into memory.
pub(super) async fn put(target: &Target, key: &str, content: &mut dyn Read, size: u64) -> Result<(), AwsError> {
    let bytes = read(content, size).and_then(|bytes| ended(content).map(|()| bytes));
    let bytes = bytes.map_err(|why| AwsError::unreadable(&why))?;
    let digest = checksum(&bytes);
    let content = Content { key, bytes: bytes.into(), digest };
    let work = async {
        let mut condition = target.only_if_missing();
        loop {
            let is_conditional = condition.is_some();
            let error = match send(target, &content, condition.take()).await {
                Ok(output) => return verified(&content.digest, output.checksum_sha256()),
                Err(error) => error,
            };
            let refused = Refused::new(&error, error.raw_response());
            match refused.status {
                // It has come to be there meanwhile.
                Some(412) if is_conditional => return Ok(()),
                // The server knows no conditions, or another upload of it is under way: its bytes are the
                // same.
                Some(409 | 501) if is_conditional => {}
                _ => return Err(target.aws_error(Permission::PutObject, &refused, error.into())),
            }
        }
    };
    tokio::select! {
        done = work => done,
        () = target.interrupt.wait() => Err(AwsError::interrupted()),
    }
}

struct Content<'k> {
    key: &'k str,
    bytes: Bytes,
    digest: String,
}

async fn send(
    target: &Target,
    content: &Content<'_>,
    condition: Option<String>,
) -> Result<PutObjectOutput, SdkError<PutObjectError>> {
    let metadata = target.upload.metadata.iter().cloned().collect();
    target
        .client
        .put_object()
        .bucket(&target.name)
        .key(content.key)
        .server_side_encryption(target.encryption())
        .set_ssekms_key_id(target.upload.kms_key_id.clone())
        .set_metadata(Some(metadata))
        .set_if_none_match(condition)
        .checksum_sha256(&content.digest)
        .body(ByteStream::from(content.bytes.clone()))
        .send()
        .await
}

/// Exactly `size` bytes.
pub(super) fn read(content: &mut dyn Read, size: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size as usize);
    content.take(size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}

/// What was read is all there is. At the end of a file it is known whether it is still the one that was named.
pub(super) fn ended(content: &mut dyn Read) -> std::io::Result<()> {
    match content.read(&mut [0])? {
        0 => Ok(()),
        _ => Err(std::io::Error::other("it has grown")),
    }
}

/// A checksum as S3 writes it.
pub(super) fn checksum(bytes: &[u8]) -> String {
    BASE64_STANDARD.encode(Sha256::digest(bytes))
}

/// What S3 has is what was sent, as far as S3 reports it.
pub(super) fn verified(sent: &str, received: Option<&str>) -> Result<(), AwsError> {
    match received {
        Some(received) if received != sent => Err(AwsError::altered(Some(format!("sha256 {sent} became {received}")))),
        _ => Ok(()),
    }
}
