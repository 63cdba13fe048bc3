//! Addresses of buckets.

use aws_types::SdkConfig;
use formwork_base::percent::encoded;
use http::Uri;

use crate::aws_error::AwsError;
use crate::endpoint;
use crate::service::Service;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Address {
    /// Without a trailing slash.
    pub(crate) endpoint: String,
    pub(crate) bucket_url: String,
    pub(crate) signing_region: String,
}

impl Address {
    /// Finds the address of a bucket: in the host name of AWS's own endpoints, as AWS recommends, in the path of a
    /// configured one, which seldom has a name for each bucket. The certificate of AWS has no names with further dots,
    /// so buckets with dots are in the path, too.
    ///
    /// # Errors
    /// When the name is not that of a usable bucket, or when no endpoint is known.
    pub(crate) async fn find(bucket: &str, region: &str, config: &SdkConfig) -> Result<Address, AwsError> {
        check(bucket)?;
        let found = endpoint::resolve(Service::S3, region, config).await.map_err(AwsError::no_endpoint)?;
        let url = found.url.parse::<Uri>().ok().filter(|url| url.scheme().is_some() && url.authority().is_some());
        if url.is_none() {
            return Err(AwsError::no_endpoint(format!("`{}` is not a URL", found.url)));
        }
        let endpoint = found.url.trim_end_matches('/').to_owned();
        let bucket_url = if !found.is_configured && is_host_label(bucket) {
            endpoint.replacen("://", &format!("://{bucket}."), 1)
        } else {
            format!("{endpoint}/{}", encoded(bucket, b""))
        };
        Ok(Address { endpoint, bucket_url, signing_region: found.signing_region })
    }
}

/// Rejects names that do not refer to a general purpose bucket.
fn check(bucket: &str) -> Result<(), AwsError> {
    if bucket.starts_with("arn:") {
        return Err(AwsError::unfit_bucket(
            format!("{bucket} is an ARN, and locations in templates contain names of buckets"),
            "pass the name of the bucket, or the alias of the access point, which ends in `-s3alias`",
        ));
    }
    if bucket.ends_with("--x-s3") {
        return Err(AwsError::unfit_bucket(
            format!("{bucket} is a directory bucket (S3 Express One Zone), which is not supported"),
            "pass the name of a general purpose bucket",
        ));
    }
    Ok(())
}

/// `true` if a name can be the first label of a host name.
fn is_host_label(bucket: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (3..=63).contains(&bucket.len())
        && bucket.bytes().all(is_inner)
        && !bucket.starts_with('-')
        && !bucket.ends_with('-')
}

#[cfg(test)]
mod tests {
    use aws_types::origin::Origin;

    use super::*;
    use crate::runtime::runtime;

    fn find(bucket: &str, region: &str, config: &SdkConfig) -> Result<Address, AwsError> {
        runtime().expect("a runtime").block_on(Address::find(bucket, region, config))
    }

    fn configured(url: &str) -> SdkConfig {
        let mut config = SdkConfig::builder().endpoint_url(url);
        config.insert_origin("endpoint_url", Origin::shared_config());
        config.build()
    }

    fn check(config: &SdkConfig, region: &str, bucket: &str, endpoint: &str, bucket_url: &str) {
        let address = find(bucket, region, config).expect("an address");
        assert_eq!((address.endpoint.as_str(), address.bucket_url.as_str()), (endpoint, bucket_url));
        assert_eq!(address.signing_region, region);
    }

    #[test]
    fn buckets_are_in_the_host_name_of_aws() {
        let aws = SdkConfig::builder().build();
        let ireland = "https://s3.eu-west-1.amazonaws.com";
        check(&aws, "eu-west-1", "my-bucket", ireland, "https://my-bucket.s3.eu-west-1.amazonaws.com");
        check(&aws, "eu-west-1", "my.bucket", ireland, "https://s3.eu-west-1.amazonaws.com/my.bucket");
        check(&aws, "eu-west-1", "My_Bucket", ireland, "https://s3.eu-west-1.amazonaws.com/My_Bucket");
        check(&aws, "eu-west-1", "a b", ireland, "https://s3.eu-west-1.amazonaws.com/a%20b");
        check(&aws, "eu-west-1", "-ab", ireland, "https://s3.eu-west-1.amazonaws.com/-ab");
        let china = "https://s3.cn-north-1.amazonaws.com.cn";
        check(&aws, "cn-north-1", "bucket", china, "https://bucket.s3.cn-north-1.amazonaws.com.cn");
        let fips = SdkConfig::builder().use_fips(true).use_dual_stack(true).build();
        let (endpoint, bucket_url) = (
            "https://s3-fips.dualstack.us-east-1.amazonaws.com",
            "https://b42.s3-fips.dualstack.us-east-1.amazonaws.com",
        );
        check(&fips, "us-east-1", "b42", endpoint, bucket_url);
    }

    /// The form of object URLs in templates depends on the endpoint (reference/packaging.md#upload).
    #[test]
    fn buckets_are_in_the_path_of_a_configured_endpoint() {
        for (url, endpoint) in [
            ("http://127.0.0.1:9000", "http://127.0.0.1:9000"),
            ("http://localhost:4566/", "http://localhost:4566"),
            ("https://store.example.com/s3/", "https://store.example.com/s3"),
            ("https://s3.us-east-1.amazonaws.com", "https://s3.us-east-1.amazonaws.com"),
        ] {
            check(&configured(url), "eu-west-1", "bucket", endpoint, &format!("{endpoint}/bucket"));
        }
    }

    #[test]
    fn what_is_not_the_name_of_a_bucket() {
        let aws = SdkConfig::builder().build();
        let point = find("arn:aws:s3:us-west-2:123456789012:accesspoint/mine", "us-west-2", &aws).expect_err("an ARN");
        assert!(point.message.contains("is an ARN") && point.help.contains("-s3alias"), "{point:?}");
        let express = find("data--usw2-az1--x-s3", "us-west-2", &aws).expect_err("a directory bucket");
        assert!(express.message.contains("S3 Express") && express.help.contains("general purpose"), "{express:?}");
        let no_url = find("bucket", "us-west-2", &configured("store.example.com")).expect_err("not a URL");
        assert_eq!(no_url.detail.as_deref(), Some("`store.example.com` is not a URL"));
    }
}
