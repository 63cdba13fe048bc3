//! Stores an object in parts. After any error the upload is aborted if possible: S3 charges for the parts of open ones.

use std::io::Read;
use std::time::Duration;

use bytes::Bytes;
use tokio::task::JoinSet;

use super::put::{ended, read, verified};
use super::refusal::{Permission, aws_error};
use super::target::{PART, Target};
use crate::aws_error::AwsError;
use crate::s3::{Answer, Checksum, Part, S3Request, completion};

const PARTS: u64 = 10_000;
/// Time limit for aborting an upload, when the program is to end.
const ABORT: Duration = Duration::from_secs(30);

pub(super) async fn put(target: &Target, key: &str, content: &mut dyn Read, size: u64) -> Result<(), AwsError> {
    if target.interrupt.is_set() {
        return Err(AwsError::interrupted());
    }
    // Never interrupted: an upload without an ID cannot be aborted.
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
        // Another upload has stored the object meanwhile.
        Ok(Done::There) => upload.abort().await,
        Err(aws_error) => Err(match upload.abort().await {
            Ok(()) => aws_error,
            Err(left) => aws_error.and_also(&left),
        }),
    }
}

async fn create(target: &Target, key: &str) -> Result<String, AwsError> {
    let request = S3Request::of_object("POST", key).flag("uploads").header("x-amz-checksum-algorithm", "SHA256");
    let answer = target.client.call(target.described(request)).await.and_then(Answer::document);
    let answer = answer.map_err(|failure| target.aws_error(Permission::PutObject, failure))?;
    answer.string_of("UploadId").ok_or_else(|| AwsError::altered(Some("the upload has no id".to_owned())))
}

enum Done {
    Stored,
    There,
}

struct Open<'t> {
    target: &'t Target,
    key: &'t str,
    id: String,
}

impl Open<'_> {
    /// Sends all parts, several concurrently.
    async fn send(&self, content: &mut dyn Read, size: u64) -> Result<Vec<Part>, AwsError> {
        let part_size = (PART as u64).max(size.div_ceil(PARTS));
        let mut parts = Vec::new();
        let mut sending: JoinSet<Result<Part, AwsError>> = JoinSet::new();
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
        parts.sort_by_key(|part| part.number);
        Ok(parts)
    }

    fn part(&self, number: u32, bytes: Bytes) -> impl Future<Output = Result<Part, AwsError>> + Send + 'static + use<> {
        let checksum = Checksum::of(&bytes);
        let (client, kms) = (self.target.client.clone(), self.target.upload.kms_key_id.clone());
        let request = S3Request::of_object("PUT", self.key)
            .query("partNumber", number.to_string())
            .query("uploadId", &self.id)
            .header("content-type", "application/octet-stream")
            .content(bytes, &checksum);
        async move {
            let answer = client.call(request).await;
            let answer =
                answer.map_err(|failure| aws_error(&client, kms.as_deref(), Permission::PutObject, failure))?;
            verified(&checksum, &answer)?;
            Ok(Part { number, etag: answer.header("etag").map(str::to_owned), sha256: checksum.to_string() })
        }
    }

    async fn complete(&self, parts: Vec<Part>) -> Result<Done, AwsError> {
        let request = S3Request::of_object("POST", self.key).query("uploadId", &self.id).document(completion(&parts));
        let mut is_conditional = !self.target.upload.overwrites;
        loop {
            let call = self.target.client.call(Target::only_if_missing(request.clone(), is_conditional));
            let Err(failure) = call.await else { return Ok(Done::Stored) };
            if is_conditional && failure.is(412, "PreconditionFailed") {
                return Ok(Done::There);
            }
            // After a conflict S3 requires a new upload; the other one has the same bytes.
            if is_conditional && failure.is(409, "ConditionalRequestConflict") {
                return Ok(Done::There);
            }
            if !(is_conditional && failure.is(501, "NotImplemented")) {
                return Err(self.target.aws_error(Permission::PutObject, failure));
            }
            is_conditional = false;
        }
    }

    async fn abort(&self) -> Result<(), AwsError> {
        let client = &self.target.client;
        let call = client.call(S3Request::of_object("DELETE", self.key).query("uploadId", &self.id));
        let left = |detail| AwsError::left_open(&client.bucket, self.key, &self.id, detail);
        match tokio::time::timeout(ABORT, call).await {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(failure)) if failure.error.status == Some(404) => Ok(()),
            Ok(Err(failure)) => Err(left(failure.error.detail)),
            Err(_) => Err(left(None)),
        }
    }
}

fn joined(done: Result<Result<Part, AwsError>, tokio::task::JoinError>) -> Result<Part, AwsError> {
    done.unwrap_or_else(|error| Err(AwsError::altered(Some(error.to_string()))))
}
