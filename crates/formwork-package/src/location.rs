//! Recognizes values that refer to something remote (reference/packaging.md#remote).

use formwork_template::artifact::{Artifact, Form};
use formwork_template::dynamic_reference;
use formwork_template::ecr::ecr_region;

/// Returns `true` if a value refers to something that is not on this disk, so that nothing is uploaded.
pub(crate) fn is_remote(artifact: &Artifact, value: &str) -> bool {
    // CloudFormation replaces a dynamic reference with the stored value.
    if dynamic_reference::find(value).is_some() {
        return true;
    }
    match artifact.form {
        Form::Https => has_scheme(value, "https") || has_scheme(value, "http") || s3(value).is_some(),
        Form::Image => is_image_in_registry(value),
        Form::S3 | Form::LocationKeys(_) => s3(value).is_some(),
    }
}

fn has_scheme(value: &str, scheme: &str) -> bool {
    value.split_once("://").is_some_and(|(found, rest)| found.eq_ignore_ascii_case(scheme) && !rest.is_empty())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct S3Name<'v> {
    pub(crate) bucket: &'v str,
    pub(crate) key: &'v str,
    pub(crate) version: Option<&'v str>,
}

/// Parses `s3://BUCKET/KEY[?versionId=VERSION]`.
pub(crate) fn s3(value: &str) -> Option<S3Name<'_>> {
    let (scheme, rest) = value.split_once("://")?;
    let (bucket, key) = rest.split_once('/')?;
    let (key, version) = match key.split_once("?versionId=") {
        Some((key, version)) => (key, Some(version)),
        None => (key, None),
    };
    (scheme.eq_ignore_ascii_case("s3") && !bucket.is_empty() && !key.is_empty()).then_some(S3Name {
        bucket,
        key,
        version,
    })
}

/// Returns `true` for `ACCOUNT.dkr.ecr.REGION.SUFFIX/REPOSITORY[:TAG]`, or a registry on this machine.
fn is_image_in_registry(value: &str) -> bool {
    let Some((host, repository)) = value.split_once('/') else { return false };
    if repository.is_empty() {
        return false;
    }
    let name = host.split_once(':').map_or(host, |(name, _)| name);
    if ["localhost", "127.0.0.1"].contains(&name) {
        return true;
    }
    ecr_region(host).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s3_names() {
        let name = |bucket, key, version| Some(S3Name { bucket, key, version });
        assert_eq!(s3("s3://b/k/l.zip"), name("b", "k/l.zip", None));
        assert_eq!(s3("s3://b/k?versionId=v"), name("b", "k", Some("v")));
        assert_eq!(s3("s3://b/"), None);
        assert_eq!(s3("./b/k"), None);
    }

    #[test]
    fn images() {
        for there in ["111122223333.dkr.ecr.eu-west-1.amazonaws.com/app:1", "localhost:5000/app", "127.0.0.1/app"] {
            assert!(is_image_in_registry(there), "{there}");
        }
        for here in [
            "app:latest",
            "dkr.ecr/app",
            "1.dkr.ecr.eu-west-1.amazonaws.com/app",
            "111122223333.dkr.ecr.eu-west-1.amazonaws.com.evil.example/app",
            "localhost",
            "localhost.evil.example/app",
        ] {
            assert!(!is_image_in_registry(here), "{here}");
        }
    }
}
