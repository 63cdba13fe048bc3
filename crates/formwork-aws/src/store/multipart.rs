//! An object in parts. Whatever goes wrong, no upload stays open where that can be helped: S3 charges for
//! the parts of open ones.

use std::io::Read;
use std::time::Duration;

use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_s3::types::{ChecksumAlgorithm, CompletedMultipartUpload, CompletedPart};
use bytes::Bytes;
use tokio::task::JoinSet;

use super::put::{checksum, ended, read, verified};
use super::refusal::{Permission, Refused, aws_error};
use super::target::{PART, Target};
use crate::aws_error::AwsError;
use crate::call_error::CallError;

/// Most parts of an object.
const PARTS: u64 = 10_000;
/// How long taking an upload back may take, when the program is to end.
const ABORT: Duration = Duration::from_secs(30);

/// Stores an object in parts.
pub(super) async fn put(target: &Target, key: &str, content: &mut dyn Read, size: u64) -> Result<(), AwsError> {
    if target.interrupt.is_set() {
        return Err(AwsError::interrupted());
    }
    // Never broken off: an upload without a name cannot be taken back.
    let id = create(target, key).await?;
    let upload = Open { target, key, id };
    let work = async {
        let parts = upload.send(content, size).await?;
        upload.complete(parts).await
    };
    let result = tokio::select! {
        done = work => done,
        () = target.interrupt.wait() => Err(AwsError::interrupted()),
    };
    match result {
        Ok(Done::Stored) => Ok(()),
        // It has come to be there meanwhile.
        Ok(Done::There) => upload.abort().await,
        Err(aws_error) => Err(match upload.abort().await {
            Ok(()) => aws_error,
            Err(left) => aws_error.and_also(&left),
        }),
    }
}

async fn create(target: &Target, key: &str) -> Result<String, AwsError> {
    let call = target
        .client
        .create_multipart_upload()
        .bucket(&target.name)
        .key(key)
        .server_side_encryption(target.encryption())
        .set_ssekms_key_id(target.upload.kms_key_id.clone())
        .set_metadata(Some(target.upload.metadata.iter().cloned().collect()))
        .checksum_algorithm(ChecksumAlgorithm::Sha256);
    match call.send().await {
        Ok(output) => output.upload_id.ok_or_else(|| AwsError::altered(Some("the upload has no id".to_owned()))),
        Err(error) => {
            let refused = Refused::new(&error, error.raw_response());
            Err(target.aws_error(Permission::PutObject, &refused, error.into()))
        }
    }
}

/// How an upload ended.
enum Done {
    Stored,
    There,
}

/// An upload that is under way.
struct Open<'t> {
    target: &'t Target,
    key: &'t str,
    id: String,
}

impl Open<'_> {
    /// Sends all parts, several at a time.
    async fn send(&self, content: &mut dyn Read, size: u64) -> Result<Vec<CompletedPart>, AwsError> {
        let part_size = (PART as u64).max(size.div_ceil(PARTS));
        let mut parts = Vec::new();
        let mut sending: JoinSet<Result<CompletedPart, AwsError>> = JoinSet::new();
        let (mut number, mut left) = (0, size);
        while left > 0 {
            let slots = self.target.slots.clone();
            let Ok(slot) = slots.acquire_owned().await else { return Err(AwsError::interrupted()) };
            while let Some(done) = sending.try_join_next() {
                parts.push(joined(done)?);
            }
            let bytes = read(content, left.min(part_size)).map_err(|why| AwsError::unreadable(&why))?;
            left -= bytes.len() as u64;
            number += 1;
            let part = self.part(number, bytes.into());
            sending.spawn(async move {
                let done = part.await;
                drop(slot);
                done
            });
        }
        ended(content).map_err(|why| AwsError::unreadable(&why))?;
        while let Some(done) = sending.join_next().await {
            parts.push(joined(done)?);
        }
        parts.sort_by_key(CompletedPart::part_number);
        Ok(parts)
    }

    /// Sends one part.
    fn part(
        &self,
        number: i32,
        bytes: Bytes,
    ) -> impl Future<Output = Result<CompletedPart, AwsError>> + Send + 'static + use<> {
        let digest = checksum(&bytes);
        let target = self.target;
        let (name, region, kms) = (target.name.clone(), target.place.region.clone(), target.upload.kms_key_id.clone());
        let call = target
            .client
            .upload_part()
            .bucket(&name)
            .key(self.key)
            .upload_id(&self.id)
            .part_number(number)
            .checksum_sha256(&digest)
            .body(ByteStream::from(bytes));
        async move {
            let output = call.send().await.map_err(|error| {
                let refused = Refused::new(&error, error.raw_response());
                aws_error(&name, &region, kms.as_deref(), Permission::PutObject, &refused, CallError::from(error))
            })?;
            verified(&digest, output.checksum_sha256())?;
            let part = CompletedPart::builder().part_number(number).set_e_tag(output.e_tag);
            Ok(part.checksum_sha256(digest).build())
        }
    }

    /// Makes the parts an object.
    async fn complete(&self, parts: Vec<CompletedPart>) -> Result<Done, AwsError> {
        let parts = CompletedMultipartUpload::builder().set_parts(Some(parts)).build();
        let mut condition = self.target.only_if_missing();
        loop {
            let is_conditional = condition.is_some();
            let call = self
                .target
                .client
                .complete_multipart_upload()
                .bucket(&self.target.name)
                .key(self.key)
                .upload_id(&self.id)
                .set_if_none_match(condition.take())
                .multipart_upload(parts.clone());
            let Err(error) = call.send().await else { return Ok(Done::Stored) };
            let refused = Refused::new(&error, error.raw_response());
            match refused.status {
                Some(412) if is_conditional => return Ok(Done::There),
                // After a conflict S3 wants the upload started again; the other one has the same bytes.
                Some(409) if is_conditional => return Ok(Done::There),
                Some(501) if is_conditional => {}
                _ => return Err(self.target.aws_error(Permission::PutObject, &refused, error.into())),
            }
        }
    }

    /// Takes the upload back.
    async fn abort(&self) -> Result<(), AwsError> {
        let target = self.target;
        let call = target.client.abort_multipart_upload().bucket(&target.name).key(self.key).upload_id(&self.id);
        let Ok(answer) = tokio::time::timeout(ABORT, call.send()).await else {
            return Err(AwsError::left_open(&target.name, self.key, &self.id, None));
        };
        let Err(error) = answer else { return Ok(()) };
        let refused = Refused::new(&error, error.raw_response());
        if refused.status == Some(404) {
            return Ok(());
        }
        let failure = CallError::from(error);
        Err(AwsError::left_open(&target.name, self.key, &self.id, failure.detail))
    }
}

/// What became of a part.
fn joined(done: Result<Result<CompletedPart, AwsError>, tokio::task::JoinError>) -> Result<CompletedPart, AwsError> {
    done.unwrap_or_else(|error| Err(AwsError::altered(Some(error.to_string()))))
}
