//! Where a command uploads to, as its arguments and the configuration file say.

mod metadata;
mod progress;
#[cfg(feature = "aws")]
mod s3;

use std::path::{Path, PathBuf};

use formwork::Diagnostic;
use formwork_upload::{Destination, FolderStore, Uploader};

use crate::args::{AwsArgs, UploadArgs};
use crate::inputs;

pub(crate) use progress::Progress;

/// Where objects go.
pub(crate) struct Upload {
    goal: Goal,
    prefix: Option<String>,
    /// The endpoint of the Region that was named.
    endpoint: String,
}

enum Goal {
    Nowhere,
    Folder {
        store: FolderStore,
        folder: PathBuf,
        /// The bucket that the template names.
        name: String,
    },
    #[cfg(feature = "aws")]
    S3(Box<s3::S3>),
}

impl Upload {
    /// Where the arguments and the configuration file say. No network is touched.
    ///
    /// # Errors
    /// When they contradict each other or cannot be understood.
    pub(crate) fn new(
        args: &UploadArgs,
        aws: &AwsArgs,
        configured: &inputs::Upload,
        region: Option<&str>,
    ) -> Result<Upload, String> {
        let is_named = args.s3_bucket.is_some() || args.resolve_s3;
        let (bucket, is_managed) = if is_named {
            (args.s3_bucket.as_deref(), args.resolve_s3)
        } else {
            (configured.s3_bucket.as_deref(), configured.resolve_s3 && !args.no_resolve_s3)
        };
        if bucket.is_some() && is_managed {
            return Err("`Cannot use both --resolve-s3 and --s3-bucket parameters. Please use only one.`".to_owned());
        }
        let metadata = args.metadata.as_deref().map(metadata::read).transpose()?.unwrap_or_default();
        let goal = match bucket.map(|bucket| (bucket, bucket.strip_prefix("file:"))) {
            Some((bucket, Some(folder))) => to_folder(bucket, folder, args.bucket_name.as_deref())?,
            None if !is_managed => Goal::Nowhere,
            Some((bucket, None)) => to_s3(Some(bucket), args, aws, configured, metadata, region)?,
            None => to_s3(None, args, aws, configured, metadata, region)?,
        };
        let prefix = args.s3_prefix.clone().or_else(|| configured.s3_prefix.clone());
        Ok(Upload { goal, prefix, endpoint: Destination::endpoint_of(region) })
    }

    /// Whether a place was named.
    pub(crate) fn is_somewhere(&self) -> bool {
        !matches!(self.goal, Goal::Nowhere)
    }

    /// Whether it is a bucket of S3.
    pub(crate) fn is_s3(&self) -> bool {
        !matches!(self.goal, Goal::Nowhere | Goal::Folder { .. })
    }

    /// Where objects will be. A bucket of S3 is looked for.
    ///
    /// # Errors
    /// When the bucket cannot be used.
    #[cfg_attr(not(feature = "aws"), allow(clippy::unnecessary_wraps, reason = "a bucket may be unusable"))]
    pub(crate) fn destination(&self) -> Result<Destination, Box<Diagnostic>> {
        match &self.goal {
            Goal::Nowhere => Ok(self.unnamed()),
            Goal::Folder { name, .. } => Ok(Destination { bucket: name.clone(), ..self.unnamed() }),
            #[cfg(feature = "aws")]
            Goal::S3(s3) => {
                let opened = s3.opened()?;
                let (bucket, endpoint) = (opened.name().to_owned(), opened.endpoint().to_owned());
                Ok(Destination { bucket, endpoint, ..self.unnamed() })
            }
        }
    }

    /// The destination of a plan, in which the bucket plays no part.
    pub(crate) fn unnamed(&self) -> Destination {
        Destination { bucket: String::new(), prefix: self.prefix.clone(), endpoint: self.endpoint.clone() }
    }

    /// What takes the objects, once [`Upload::destination`] was found.
    pub(crate) fn uploader(&self) -> Option<&dyn Uploader> {
        match &self.goal {
            Goal::Nowhere => None,
            Goal::Folder { store, .. } => Some(store),
            #[cfg(feature = "aws")]
            Goal::S3(s3) => s3.uploader(),
        }
    }

    /// The folder that stands in for a bucket; it may lie in a folder that is packaged.
    pub(crate) fn store_folder(&self) -> Option<PathBuf> {
        match &self.goal {
            Goal::Folder { folder, .. } => Some(folder.clone()),
            Goal::Nowhere => None,
            #[cfg(feature = "aws")]
            Goal::S3(_) => None,
        }
    }

    /// Whether somebody asked the program to end while it uploaded.
    #[cfg(feature = "aws")]
    pub(crate) fn is_interrupted(&self) -> bool {
        matches!(&self.goal, Goal::S3(s3) if s3.is_interrupted())
    }
}

fn to_folder(bucket: &str, folder: &str, name: Option<&str>) -> Result<Goal, String> {
    if folder.is_empty() {
        return Err("--s3-bucket file: names no folder: write `file:DIR`".to_owned());
    }
    let name = name.ok_or_else(|| {
        format!("--s3-bucket {bucket} needs `--bucket-name NAME`: the bucket that the template names")
    })?;
    let folder = Path::new(folder);
    Ok(Goal::Folder { store: FolderStore::new(folder), folder: folder.to_owned(), name: name.to_owned() })
}

#[cfg(feature = "aws")]
#[allow(clippy::unnecessary_wraps, reason = "the same call as without a network")]
fn to_s3(
    bucket: Option<&str>,
    args: &UploadArgs,
    aws: &AwsArgs,
    configured: &inputs::Upload,
    metadata: Vec<(String, String)>,
    region: Option<&str>,
) -> Result<Goal, String> {
    let settings = aws.settings(region.map(str::to_owned), None);
    let upload = formwork_aws::Upload {
        kms_key_id: args.kms_key_id.clone().or_else(|| configured.kms_key_id.clone()),
        metadata,
        overwrites: args.force_upload,
    };
    Ok(Goal::S3(Box::new(s3::S3::new(settings, bucket, upload))))
}

#[cfg(not(feature = "aws"))]
fn to_s3(
    bucket: Option<&str>,
    _: &UploadArgs,
    _: &AwsArgs,
    configured: &inputs::Upload,
    _: Vec<(String, String)>,
    _: Option<&str>,
) -> Result<Goal, String> {
    let _ = &configured.kms_key_id;
    let bucket = bucket.unwrap_or("NAME");
    Err(format!(
        "{}: write the uploads to a folder with `--s3-bucket file:DIR --bucket-name {bucket}`",
        crate::live::NO_NETWORK
    ))
}
