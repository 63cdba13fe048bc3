//! Errors of calls that S3 rejected, for people to read (reference/packaging.md#refusals).

use std::fmt;

use crate::aws_error::{AwsError, AwsErrorKind, TRUST};
use crate::call_error::{CallError, CallErrorKind};
use crate::s3::{Failure, S3Client};

/// Codes for content that changed during the transfer.
const ALTERED: [&str; 6] = [
    "BadDigest",
    "InvalidDigest",
    "XAmzContentChecksumMismatch",
    "XAmzContentSHA256Mismatch",
    "InvalidPart",
    "IncompleteBody",
];

const ELSEWHERE: [&str; 4] =
    ["PermanentRedirect", "TemporaryRedirect", "AuthorizationHeaderMalformed", "IllegalLocationConstraintException"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Permission {
    ListBucket,
    GetObject,
    PutObject,
    ListBucketVersions,
    DeleteObjectVersion,
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Permission::ListBucket => "s3:ListBucket",
            Permission::GetObject => "s3:GetObject",
            Permission::PutObject => "s3:PutObject",
            Permission::ListBucketVersions => "s3:ListBucketVersions",
            Permission::DeleteObjectVersion => "s3:DeleteObject and s3:DeleteObjectVersion",
        })
    }
}

/// Creates the error that the bucket is in the Region `there`, not in `asked`.
pub(super) fn elsewhere(name: &str, asked: &str, there: &str) -> AwsError {
    AwsError {
        kind: AwsErrorKind::Region,
        message: format!(
            "`deployment s3 bucket is in a different region`: {name} was looked for in {asked}, and S3 reports {there}"
        ),
        detail: None,
        help: format!("name the Region of the bucket with `--region {there}`"),
    }
}

pub(super) fn aws_error(
    client: &S3Client,
    kms_key_id: Option<&str>,
    permission: Permission,
    failure: Failure,
) -> AwsError {
    let S3Client { bucket: name, region, .. } = client;
    let Failure { error: failure, region: there } = failure;
    let (code, status) = (failure.code.as_deref().unwrap_or_default(), failure.status);
    let made = |kind, message: String, help: String| AwsError { kind, message, detail: failure.detail.clone(), help };
    let is_busy = matches!(code, "SlowDown" | "ServiceUnavailable" | "TooManyRequests") || status == Some(503);
    if code == "NoSuchBucket" || permission == Permission::ListBucket && status == Some(404) {
        return AwsError {
            kind: AwsErrorKind::Missing,
            message: format!("`S3 Bucket does not exist.`: the bucket {name} was not found in {region}"),
            detail: None,
            help: "correct --s3-bucket, create the bucket, or let --resolve-s3 find one".to_owned(),
        };
    }
    if ELSEWHERE.contains(&code) || status == Some(301) {
        return elsewhere(name, region, there.as_deref().unwrap_or("another Region"));
    }
    if ALTERED.contains(&code) {
        return AwsError::altered(failure.detail);
    }
    if is_busy || failure.kind == CallErrorKind::Throttled {
        return made(
            AwsErrorKind::Failed,
            format!("S3 throttles calls for {name}"),
            "package again: files that are uploaded already are skipped. A lower --concurrency, or a higher AWS_MAX_ATTEMPTS, helps".to_owned(),
        );
    }
    match failure.kind {
        CallErrorKind::Credentials if code.starts_with("Expired") || code == "TokenRefreshRequired" => {
            AwsError::expired(failure.detail)
        }
        CallErrorKind::Credentials => AwsError::rejected(&failure),
        CallErrorKind::Denied => denied(name, kms_key_id, permission, failure),
        CallErrorKind::TimedOut => made(
            AwsErrorKind::Failed,
            format!("S3 took too long to answer for {name}"),
            "look at the network, and package again: files that are uploaded already are skipped".to_owned(),
        ),
        CallErrorKind::Unreachable => made(
            AwsErrorKind::Failed,
            format!("S3 cannot be reached for {name}"),
            "look at the network, the Region, HTTPS_PROXY, --endpoint-url and AWS_ENDPOINT_URL_S3".to_owned(),
        ),
        CallErrorKind::Untrusted => {
            made(AwsErrorKind::Failed, format!("the certificate of S3 is not trusted for {name}"), TRUST.to_owned())
        }
        CallErrorKind::Malformed | CallErrorKind::Endless => made(
            AwsErrorKind::Failed,
            "the answer of S3 cannot be read".to_owned(),
            "look at what answers at the endpoint: a proxy, or another service".to_owned(),
        ),
        CallErrorKind::Refused | CallErrorKind::Throttled => AwsError {
            kind: AwsErrorKind::Failed,
            message: format!("S3 rejects a call for {name}"),
            detail: failure.detail.or_else(|| status.map(|status| format!("status {status}"))),
            help: "fix that and package again: files that are uploaded already are skipped".to_owned(),
        },
    }
}

/// Creates the error of a missing permission: that of S3, or that of the KMS key.
fn denied(name: &str, kms_key_id: Option<&str>, permission: Permission, failure: CallError) -> AwsError {
    let detail = failure.detail.as_deref().unwrap_or_default();
    let of_key = ["kms:GenerateDataKey", "kms:Decrypt"].into_iter().find(|action| detail.contains(action));
    let (message, help) = match (of_key, kms_key_id) {
        (Some(action), key) => (
            format!("the permission {action} is missing for the key that encrypts {name}"),
            format!("allow kms:GenerateDataKey and kms:Decrypt on {} for these credentials", key.unwrap_or("that key")),
        ),
        (None, _) => (
            format!("the permission {permission} is missing for {name}"),
            format!("allow {permission} on arn:aws:s3:::{name}/* for these credentials, or name others with --profile"),
        ),
    };
    AwsError { kind: AwsErrorKind::Denied, message, detail: failure.detail, help }
}
