//! Where a file is once it is uploaded, and the value for that location.

use formwork_template::artifact::{Artifact, Form};

use crate::location;
use crate::plan::Content;

/// Where what a [`ArtifactRef`](crate::ArtifactRef) names is once it is uploaded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Target {
    /// An object in S3.
    Object {
        /// The bucket of the object.
        bucket: String,
        /// The key of the object.
        key: String,
        /// Its `https://` address.
        url: String,
    },
    /// An image, by its name in its registry.
    Image(String),
    /// A file or directory on the disk, by its path from the directory of the template that is written.
    Path(String),
    /// It could not be had, which was reported.
    Missing,
}

/// What a property is afterwards.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Text(String),
    /// An object of strings.
    Members(Vec<(&'static str, String)>),
    /// It could not be had, which was reported.
    Missing,
}

/// The value of a property that names `content`; `None` where it stays as it is.
pub(crate) fn value(artifact: &Artifact, content: &Content, targets: &[Target], in_mapping: bool) -> Option<Value> {
    let form = artifact.form;
    Some(match content {
        Content::ArtifactRef(need) => match targets.get(*need).unwrap_or(&Target::Missing) {
            Target::Missing => Value::Missing,
            Target::Image(text) | Target::Path(text) => Value::Text(text.clone()),
            Target::Object { bucket, key, url } => match form {
                Form::Https => Value::Text(url.clone()),
                Form::Members(members) if !(members.or_text && in_mapping) => {
                    Value::Members(vec![(members.bucket, bucket.clone()), (members.key, key.clone())])
                }
                _ => Value::Text(format!("s3://{bucket}/{key}")),
            },
        },
        Content::Remote { value, .. } => match (form, location::s3(value)) {
            (Form::Members(members), Some(name)) if !(members.or_text && in_mapping) => {
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
