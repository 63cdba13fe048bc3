//! Empties a bucket, with all versions of its objects (reference/deploy.md#delete).

use bytes::Bytes;

use super::bucket_region;
use super::interrupt::Interrupt;
use super::refusal::{self, Permission};
use crate::aws_error::{AwsError, AwsErrorKind};
use crate::runtime::runtime;
use crate::s3::{Answer, Checksum, Failure, S3Client, S3Request, Version, deletion};
use crate::settings::{Settings, configured_region};
use crate::xml_api::Element;

/// Deletes every version of every object of a bucket, and every delete marker. Adds the number of deletions to `count`,
/// also when it ends early; a request that was sent is waited for.
///
/// # Errors
/// When an object cannot be deleted, or when the program is interrupted.
pub fn empty_bucket(settings: &Settings, bucket: &str, interrupt: &Interrupt, count: &mut u64) -> Result<(), AwsError> {
    let region = configured_region(settings).unwrap_or_else(|| "us-east-1".to_owned());
    let settings = Settings { region: Some(region), ..settings.clone() };
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        let found = tokio::select! {
            found = bucket_region::find(&settings, bucket) => found,
            () = interrupt.wait() => return Err(AwsError::interrupted()),
        };
        let client = match found {
            // A missing bucket is empty.
            Err(error) if error.kind == AwsErrorKind::Missing => return Ok(()),
            found => found?,
        };
        let emptying = Emptying { client };
        // Deleted versions are not listed again, so the first page is always the next one.
        let mut last: Option<Version> = None;
        loop {
            let page = tokio::select! {
                biased;
                () = interrupt.wait() => return Err(AwsError::interrupted()),
                page = emptying.page() => page?,
            };
            if page.is_empty() {
                return Ok(());
            }
            let first = page.first().cloned();
            if first == last {
                let key = first.map(|version| version.key).unwrap_or_default();
                let detail = format!("{key}: S3 reports that it is deleted, and lists it again");
                return Err(emptying.undeleted(AwsErrorKind::Failed, detail));
            }
            last = first;
            emptying.delete(page, count).await?;
        }
    })
}

/// Deletes objects of a bucket by their keys, and returns the number of keys. In a bucket with versions the versions
/// stay.
///
/// # Errors
/// When an object cannot be deleted.
pub fn delete_objects(settings: &Settings, bucket: &str, keys: &[String]) -> Result<u64, AwsError> {
    /// Maximum number of keys of a request.
    const KEYS: usize = 1_000;
    let region = configured_region(settings).unwrap_or_else(|| "us-east-1".to_owned());
    let settings = Settings { region: Some(region), ..settings.clone() };
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        let emptying = Emptying { client: bucket_region::find(&settings, bucket).await? };
        let mut count = 0;
        for some in keys.chunks(KEYS) {
            let versions = some.iter().map(|key| Version { key: key.clone(), id: None }).collect();
            emptying.delete(versions, &mut count).await?;
        }
        Ok(count)
    })
}

const AGAIN: &str = "correct that and run the command again: it goes on with the objects that are left";

struct Emptying {
    client: S3Client,
}

impl Emptying {
    /// Returns up to a thousand versions and delete markers.
    async fn page(&self) -> Result<Vec<Version>, AwsError> {
        let answer = self.client.call(S3Request::of_bucket("GET").flag("versions")).await.and_then(Answer::document);
        let answer = answer.map_err(|failure| self.error(Permission::ListBucketVersions, failure))?;
        let listed = answer.children.iter().filter(|child| matches!(child.name.as_str(), "Version" | "DeleteMarker"));
        let version =
            |listed: &Element| Some(Version { key: listed.string_of("Key")?, id: listed.string_of("VersionId") });
        Ok(listed.filter_map(version).collect())
    }

    async fn delete(&self, versions: Vec<Version>, count: &mut u64) -> Result<(), AwsError> {
        let body = Bytes::from(deletion(&versions));
        let checksum = Checksum::of(&body);
        let request = S3Request::of_bucket("POST").flag("delete").header("content-type", "application/xml");
        let answer = self.client.call(request.content(body, &checksum)).await.and_then(Answer::document);
        let answer = answer.map_err(|failure| self.error(Permission::DeleteObjectVersion, failure))?;
        let errors: Vec<_> = answer.children.iter().filter(|child| child.name == "Error").collect();
        *count += (versions.len() - errors.len().min(versions.len())) as u64;
        let Some(first) = errors.first() else { return Ok(()) };
        let code = first.text_of("Code");
        let kind = if code == Some("AccessDenied") { AwsErrorKind::Denied } else { AwsErrorKind::Failed };
        let words = [code, first.text_of("Message")].into_iter().flatten().collect::<Vec<_>>().join(": ");
        Err(self.undeleted(kind, format!("{}: {words}", first.text_of("Key").unwrap_or_default())))
    }

    fn undeleted(&self, kind: AwsErrorKind, detail: String) -> AwsError {
        AwsError {
            kind,
            message: format!("S3 did not delete every object of {}", self.client.bucket),
            detail: Some(detail),
            help: "a bucket policy, an object lock or a missing permission may keep objects; correct that and run the command again".to_owned(),
        }
    }

    fn error(&self, permission: Permission, failure: Failure) -> AwsError {
        let error = refusal::aws_error(&self.client, None, permission, failure);
        if error.kind == AwsErrorKind::Failed { AwsError { help: AGAIN.to_owned(), ..error } } else { error }
    }
}
