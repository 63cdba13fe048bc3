//! Names of objects, before they are there.

use formwork_package::{AssetKey, Target};

/// The bucket that objects go to, by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Destination {
    /// Name of the bucket.
    pub bucket: String,
    /// The prefix of the names of objects.
    pub prefix: Option<String>,
    /// The S3 endpoint, such as `https://s3.eu-west-1.amazonaws.com`, without a slash at its end.
    pub endpoint: String,
}

impl Destination {
    /// The S3 endpoint of a region; the one without a region when none is named.
    pub fn endpoint_of(region: Option<&str>) -> String {
        match region {
            None => "https://s3.amazonaws.com".to_owned(),
            Some(region) if region.starts_with("cn-") => format!("https://s3.{region}.amazonaws.com.cn"),
            Some(region) => format!("https://s3.{region}.amazonaws.com"),
        }
    }

    /// The key of an object.
    pub fn key(&self, asset: &AssetKey, extension: Option<&str>) -> String {
        asset.object_key(self.prefix.as_deref(), extension)
    }

    /// Where an object will be.
    pub fn target(&self, key: &str) -> Target {
        Target::Object {
            bucket: self.bucket.clone(),
            key: key.to_owned(),
            url: format!("{}/{}/{key}", self.endpoint, self.bucket),
        }
    }
}
