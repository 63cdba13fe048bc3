//! A bucket whose objects are deleted, all versions of them (reference/deploy.md#delete).

use aws_sdk_s3::Client;
use aws_sdk_s3::types::{Delete, ObjectIdentifier};

use super::interrupt::Interrupt;
use super::place;
use super::refusal::{self, Permission, Refused};
use crate::aws_error::{AwsError, AwsErrorKind};
use crate::runtime::runtime;
use crate::settings::{Settings, configured_region};

/// Deletes every version of every object of a bucket, and every delete marker. Adds how many were deleted to `count`,
/// also when it ends early; a request that was sent is waited for.
///
/// # Errors
/// When an object cannot be deleted, or when the program is asked to end.
pub fn empty_bucket(settings: &Settings, bucket: &str, interrupt: &Interrupt, count: &mut u64) -> Result<(), AwsError> {
    let region = configured_region(settings).unwrap_or_else(|| "us-east-1".to_owned());
    let settings = Settings { region: Some(region), ..settings.clone() };
    let runtime = runtime().map_err(|error| AwsError::no_runtime(&error))?;
    runtime.block_on(async {
        let found = tokio::select! {
            found = place::find(&settings, bucket) => found,
            () = interrupt.wait() => return Err(AwsError::interrupted()),
        };
        let (client, place) = match found {
            // What is not there is empty.
            Err(error) if error.kind == AwsErrorKind::Missing => return Ok(()),
            found => found?,
        };
        let emptying = Emptying { client, bucket, region: &place.region };
        // What is deleted is not listed again, so the first page is always the next one.
        loop {
            let page = tokio::select! {
                biased;
                () = interrupt.wait() => return Err(AwsError::interrupted()),
                page = emptying.page() => page?,
            };
            if page.is_empty() {
                return Ok(());
            }
            emptying.delete(page, count).await?;
        }
    })
}

/// What to do about a call that failed.
const AGAIN: &str = "correct that and run the command again: objects that were deleted are not deleted twice";

struct Emptying<'b> {
    client: Client,
    bucket: &'b str,
    region: &'b str,
}

impl Emptying<'_> {
    /// Up to a thousand versions and delete markers.
    async fn page(&self) -> Result<Vec<ObjectIdentifier>, AwsError> {
        let answer = self.client.list_object_versions().bucket(self.bucket).send().await.map_err(|error| {
            let refused = Refused::new(&error, error.raw_response());
            self.error(Permission::ListBucketVersions, &refused, error.into())
        })?;
        let versions = answer.versions.unwrap_or_default().into_iter().map(|one| (one.key, one.version_id));
        let markers = answer.delete_markers.unwrap_or_default().into_iter().map(|one| (one.key, one.version_id));
        let object = |(key, version): (Option<String>, Option<String>)| {
            ObjectIdentifier::builder().key(key?).set_version_id(version).build().ok()
        };
        Ok(versions.chain(markers).filter_map(object).collect())
    }

    async fn delete(&self, objects: Vec<ObjectIdentifier>, count: &mut u64) -> Result<(), AwsError> {
        let all = objects.len() as u64;
        let delete = Delete::builder().set_objects(Some(objects)).quiet(true).build();
        let delete = delete.map_err(|error| self.undeleted(AwsErrorKind::Failed, error.to_string()))?;
        let answer = self.client.delete_objects().bucket(self.bucket).delete(delete).send().await;
        let answer = answer.map_err(|error| {
            let refused = Refused::new(&error, error.raw_response());
            self.error(Permission::DeleteObjectVersion, &refused, error.into())
        })?;
        let errors = answer.errors.unwrap_or_default();
        *count += all - (errors.len() as u64).min(all);
        let Some(first) = errors.into_iter().next() else { return Ok(()) };
        let kind =
            if first.code.as_deref() == Some("AccessDenied") { AwsErrorKind::Denied } else { AwsErrorKind::Failed };
        let words = [first.code, first.message].into_iter().flatten().collect::<Vec<_>>().join(": ");
        Err(self.undeleted(kind, format!("{}: {words}", first.key.unwrap_or_default())))
    }

    /// S3 did not delete an object.
    fn undeleted(&self, kind: AwsErrorKind, detail: String) -> AwsError {
        AwsError {
            kind,
            message: format!("S3 did not delete every object of {}", self.bucket),
            detail: Some(detail),
            help: "a bucket policy, an object lock or a missing permission may keep objects; correct that and run the command again".to_owned(),
        }
    }

    fn error(&self, permission: Permission, refused: &Refused, failure: crate::CallError) -> AwsError {
        let error = refusal::aws_error(self.bucket, self.region, None, permission, refused, failure);
        if error.kind == AwsErrorKind::Failed { AwsError { help: AGAIN.to_owned(), ..error } } else { error }
    }
}
