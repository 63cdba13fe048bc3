//! The location of a file after the upload, and the property value for it.

use formwork_template::artifact::{Artifact, Form};

use crate::location;
use crate::plan::Content;

/// The location of the file of an [`ArtifactRef`](crate::ArtifactRef) after the upload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// An object in S3.
    Object {
        /// The bucket of the object.
        bucket: String,
        /// The key of the object.
        key: String,
        /// The `https://` address of the object.
        url: String,
    },
    /// An image, by its name in its registry.
    Image(String),
    /// A file or directory on the disk, by its path from the directory of the template that is written.
    Path(String),
    /// The file is not available, which was reported.
    Missing,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Text(String),
    Members(Vec<(&'static str, String)>),
    /// The file is not available, which was reported.
    Missing,
}

/// Returns the value of a property for `content`; `None` if it is not changed.
pub(crate) fn value(artifact: &Artifact, content: &Content, targets: &[Target], in_mapping: bool) -> Option<Value> {
    let form = artifact.form;
    Some(match content {
        Content::ArtifactRef(need) => match targets.get(*need).unwrap_or(&Target::Missing) {
            Target::Missing => Value::Missing,
            Target::Image(text) | Target::Path(text) => Value::Text(text.clone()),
            Target::Object { bucket, key, url } => match form {
                Form::Https => Value::Text(url.clone()),
                Form::LocationKeys(members) if !(members.or_text && in_mapping) => {
                    Value::Members(vec![(members.bucket, bucket.clone()), (members.key, key.clone())])
                }
                _ => Value::Text(format!("s3://{bucket}/{key}")),
            },
        },
        Content::Remote { value, .. } => match (form, location::s3(value)) {
            (Form::LocationKeys(members), Some(name)) if !(members.or_text && in_mapping) => {
                let mut parts = vec![(members.bucket, name.bucket.to_owned()), (members.key, name.key.to_owned())];
                if let Some((member, version)) = members.version.zip(name.version) {
                    parts.push((member, version.to_owned()));
                }
                Value::Members(parts)
            }
            _ => Value::Text(value.clone()),
        },
        Content::Unknown | Content::Nothing => return None,
    })
}
