//! Stores an object in one piece.

use std::io::Read;

use bytes::Bytes;

use super::refusal::Permission;
use super::target::Target;
use crate::aws_error::AwsError;
use crate::s3::{Answer, Checksum, S3Request};

pub(super) async fn put(target: &Target, key: &str, content: &mut dyn Read, size: u64) -> Result<(), AwsError> {
    let bytes = read(content, size).and_then(|bytes| ended(content).map(|()| bytes));
    let bytes = bytes.map_err(|why| AwsError::unreadable(&why))?;
    let checksum = Checksum::of(&bytes);
    let request = S3Request::of_object("PUT", key).header("content-type", "application/octet-stream");
    let request = target.described(request).content(Bytes::from(bytes), &checksum);
    let work = async {
        let mut is_conditional = !target.upload.overwrites;
        loop {
            let call = target.client.call(Target::only_if_missing(request.clone(), is_conditional));
            let failure = match call.await {
                Ok(answer) => return verified(&checksum, &answer),
                Err(failure) => failure,
            };
            match failure.error.status {
                // Another upload has stored the object meanwhile.
                Some(412) if is_conditional => return Ok(()),
                // The server does not support conditions, or another upload is in progress, with the same bytes.
                Some(409 | 501) if is_conditional => is_conditional = false,
                _ => return Err(target.aws_error(Permission::PutObject, failure)),
            }
        }
    };
    tokio::select! {
        done = work => done,
        () = target.interrupt.wait() => Err(AwsError::interrupted()),
    }
}

pub(super) fn read(content: &mut dyn Read, size: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(size as usize);
    content.take(size).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == size { Ok(bytes) } else { Err(std::io::ErrorKind::UnexpectedEof.into()) }
}

/// Checks that the content ends here. At the end of a file its hash is verified.
pub(super) fn ended(content: &mut dyn Read) -> std::io::Result<()> {
    match content.read(&mut [0])? {
        0 => Ok(()),
        _ => Err(std::io::Error::other("it has grown")),
    }
}

/// Checks that S3 has the content that was sent, as far as S3 reports it.
pub(super) fn verified(sent: &Checksum, answer: &Answer) -> Result<(), AwsError> {
    let sent = sent.to_string();
    match answer.header("x-amz-checksum-sha256") {
        Some(received) if received != sent => Err(AwsError::altered(Some(format!("sha256 {sent} became {received}")))),
        _ => Ok(()),
    }
}
