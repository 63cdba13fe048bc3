//! Names of objects before they are uploaded.

use formwork_package::{AssetKey, Target};

/// An S3 bucket that objects are uploaded to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// Name of the bucket.
    pub bucket: String,
    /// Prefix of the object keys.
    pub prefix: Option<String>,
    /// The S3 endpoint, such as `https://s3.eu-west-1.amazonaws.com`, without a trailing slash.
    pub endpoint: String,
}

impl Destination {
    /// Returns the S3 endpoint of a region; without one, the global endpoint.
    pub fn endpoint_of(region: Option<&str>) -> String {
        match region {
            None => "https://s3.amazonaws.com".to_owned(),
            Some(region) if region.starts_with("cn-") => format!("https://s3.{region}.amazonaws.com.cn"),
            Some(region) => format!("https://s3.{region}.amazonaws.com"),
        }
    }

    /// Returns the key of an object.
    pub fn key(&self, asset: &AssetKey, extension: Option<&str>) -> String {
        asset.object_key(self.prefix.as_deref(), extension)
    }

    /// Returns the location that an object will have.
    pub fn target(&self, key: &str) -> Target {
        Target::Object {
            bucket: self.bucket.clone(),
            key: key.to_owned(),
            url: format!("{}/{}/{key}", self.endpoint, self.bucket),
        }
    }
}
