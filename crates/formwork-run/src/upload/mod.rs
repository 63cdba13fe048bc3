//! The upload destinations of a command, from its arguments and the configuration file.

#[cfg_attr(not(feature = "aws"), path = "images_without_network.rs")]
mod images;
mod metadata;
mod progress;
mod repositories;
#[cfg(feature = "aws")]
mod s3;
#[cfg(feature = "aws")]
mod stop;

use std::path::{Path, PathBuf};

use formwork::Diagnostic;
use formwork_project::Failure;
use formwork_upload::{
    Destination, DirectoryStore, Prepared, Repository, UploadFailure, UploadOptions, Uploader, Uploaders, upload_all,
};
#[cfg(feature = "aws")]
use formwork_upload::{NamedImages, PushedImage, UploadError, push_image};

use images::Images;
use repositories::ImagePlace;

use crate::args::{AwsArgs, UploadArgs};
use crate::inputs;
use crate::service_names::check_bucket;

use progress::Progress;
pub use progress::{Delivered, ProgressStyle};

/// The destinations of objects and images.
pub struct Upload {
    goal: Goal,
    prefix: Option<String>,
    /// The endpoint of the Region of the command line.
    endpoint: String,
    images: Images,
    how: UploadOptions,
    #[cfg(feature = "aws")]
    stop: std::rc::Rc<stop::Stop>,
}

enum Goal {
    Nowhere,
    Directory {
        store: DirectoryStore,
        directory: PathBuf,
        /// The bucket name in the template.
        name: String,
    },
    #[cfg(feature = "aws")]
    S3(Box<s3::S3>),
}

impl Upload {
    /// Reads the destinations from the arguments and the configuration file, for a stack of this name. No request is
    /// sent.
    ///
    /// # Errors
    /// When they contradict each other or cannot be parsed.
    pub fn new(
        args: &UploadArgs,
        aws: &AwsArgs,
        configured: &inputs::Upload,
        region: Option<&str>,
        stack_name: Option<&str>,
    ) -> Result<Upload, Failure> {
        let is_named = args.s3_bucket.is_some() || args.resolve_s3;
        let (bucket, is_managed) = if is_named {
            (args.s3_bucket.as_deref(), args.resolve_s3)
        } else {
            let is_managed = configured.resolve_s3 && !args.no_resolve_s3;
            configured.used(&[("s3_bucket", configured.s3_bucket.is_some()), ("resolve_s3", is_managed)]);
            (configured_bucket(configured)?, is_managed)
        };
        if let Some(bucket) = bucket {
            check_bucket("--s3-bucket", bucket)?;
        }
        if let Some(name) = args.bucket_name.as_deref().filter(|name| name.contains('/')) {
            check_bucket("--bucket-name", name)?;
        }
        if bucket.is_some() && is_managed {
            return Err("`Cannot use both --resolve-s3 and --s3-bucket parameters. Please use only one.`".into());
        }
        let metadata = args.metadata.as_deref().map(metadata::read).transpose()?.unwrap_or_default();
        let place = ImagePlace::new(args, configured, stack_name)?;
        #[cfg(feature = "aws")]
        let stop = std::rc::Rc::new(stop::Stop::default());
        #[cfg(feature = "aws")]
        let is_sent = is_managed
            || bucket.is_some_and(|bucket| !bucket.starts_with("file:"))
            || !matches!(place, ImagePlace::Nowhere);
        #[cfg(feature = "aws")]
        // Without a destination in AWS nothing is sent, and no profile or variable of AWS is read.
        let settings =
            if is_sent { aws.settings(region.map(str::to_owned), None)? } else { formwork_aws::Settings::default() };
        #[cfg(feature = "aws")]
        let images = Images::new(settings.clone(), place, std::rc::Rc::clone(&stop));
        #[cfg(not(feature = "aws"))]
        let images = Images::new(place)?;
        #[cfg(feature = "aws")]
        let to_s3 = |bucket| {
            let upload = formwork_aws::Upload {
                kms_key_id: args.kms_key_id.clone().or_else(|| configured.kms_key_id.clone()),
                metadata: metadata.clone(),
                overwrites: args.force_upload,
            };
            let stop = std::rc::Rc::clone(&stop);
            Ok::<_, Failure>(Goal::S3(Box::new(s3::S3::new(settings.clone(), bucket, upload, stop))))
        };
        #[cfg(not(feature = "aws"))]
        let to_s3 = |bucket| without_network(bucket, (aws, &configured.kms_key_id, &metadata));
        let goal = match bucket.map(|bucket| (bucket, bucket.strip_prefix("file:"))) {
            Some((bucket, Some(directory))) => to_directory(bucket, directory, args.bucket_name.as_deref())?,
            None if !is_managed => Goal::Nowhere,
            named => to_s3(named.map(|(bucket, _)| bucket))?,
        };
        let is_used = |own: &Option<String>, other: &Option<String>| own.is_none() && other.is_some();
        configured.used(&[
            ("s3_prefix", is_used(&args.s3_prefix, &configured.s3_prefix)),
            ("kms_key_id", is_used(&args.kms_key_id, &configured.kms_key_id)),
        ]);
        let prefix = args.s3_prefix.clone().or_else(|| configured.s3_prefix.clone());
        let endpoint = Destination::endpoint_of(region);
        Ok(Upload {
            goal,
            prefix,
            endpoint,
            images,
            how: UploadOptions { force: args.force_upload, concurrency: args.concurrency },
            #[cfg(feature = "aws")]
            stop,
        })
    }

    /// Returns `true` when a destination for objects is configured.
    pub fn is_somewhere(&self) -> bool {
        !matches!(self.goal, Goal::Nowhere)
    }

    /// Returns `true` when objects go to an S3 bucket.
    #[cfg(feature = "aws")]
    pub fn is_s3(&self) -> bool {
        matches!(self.goal, Goal::S3(_))
    }

    /// Returns `true` when anything is sent over a network.
    pub fn is_remote(&self) -> bool {
        self.has_repositories() || !matches!(self.goal, Goal::Nowhere | Goal::Directory { .. })
    }

    /// Returns `true` when a destination for images is configured.
    pub fn has_repositories(&self) -> bool {
        self.images.are_somewhere()
    }

    /// Returns the image repositories of functions. Requests are sent only where repositories are created.
    ///
    /// # Errors
    /// When a function has none.
    pub fn repositories(&self, functions: &[String]) -> Result<Vec<Repository>, Box<Diagnostic>> {
        self.images.repositories(functions)
    }

    /// Like [`Upload::repositories`], for a plan: no request is sent, and an unknown repository has an empty name.
    ///
    /// # Errors
    /// When a function has none.
    pub fn planned_repositories(&self, functions: &[String]) -> Result<Vec<Repository>, Box<Diagnostic>> {
        self.images.place().of_functions(functions)
    }

    /// Uploads everything that does not exist yet, after [`Upload::destination`] and [`Upload::repositories`]
    /// succeeded. Returns the artifacts that were uploaded or exist, and those that could not be uploaded.
    pub fn all(&self, prepared: &Prepared, style: ProgressStyle) -> (Vec<Delivered>, Result<(), Vec<UploadFailure>>) {
        if prepared.uploads() == 0 {
            return (Vec::new(), Ok(()));
        }
        let progress = Progress::new(prepared, style);
        let to = Uploaders { objects: self.uploader(), images: self.images.registry() };
        let result = upload_all(prepared, to, self.how, &|event| progress.report(event));
        if result.is_ok() {
            progress.finish();
        }
        #[cfg(feature = "aws")]
        if result.is_err() && self.is_interrupted() {
            progress.say_left();
        }
        (progress.into_delivered(), result)
    }

    /// Pushes the image of one artifact of a template, after [`Upload::repositories`] succeeded; `None` where it is not
    /// an image.
    ///
    /// # Errors
    /// When it cannot be pushed.
    #[cfg(feature = "aws")]
    pub fn image(
        &self,
        prepared: &Prepared,
        named: &NamedImages,
        need: (usize, usize),
    ) -> Result<Option<PushedImage>, UploadError> {
        let registry = self.images.registry().ok_or_else(|| UploadError::new("no destination is configured"))?;
        push_image(prepared, named, need, registry)
    }

    /// Returns the destination of objects. An S3 bucket is looked up. An S3 bucket is looked for.
    ///
    /// # Errors
    /// When the bucket cannot be used.
    #[cfg_attr(not(feature = "aws"), allow(clippy::unnecessary_wraps, reason = "a bucket may be unusable"))]
    pub fn destination(&self) -> Result<Destination, Box<Diagnostic>> {
        match &self.goal {
            Goal::Nowhere => Ok(self.unnamed()),
            Goal::Directory { name, .. } => Ok(Destination { bucket: name.clone(), ..self.unnamed() }),
            #[cfg(feature = "aws")]
            Goal::S3(s3) => {
                let opened = s3.opened()?;
                let (bucket, endpoint) = (opened.name().to_owned(), opened.endpoint().to_owned());
                Ok(Destination { bucket, endpoint, ..self.unnamed() })
            }
        }
    }

    /// Returns the destination of a plan, without a bucket.
    pub fn unnamed(&self) -> Destination {
        Destination { bucket: String::new(), prefix: self.prefix.clone(), endpoint: self.endpoint.clone() }
    }

    /// Returns the uploader of objects, after [`Upload::destination`] succeeded.
    pub fn uploader(&self) -> Option<&dyn Uploader> {
        match &self.goal {
            Goal::Nowhere => None,
            Goal::Directory { store, .. } => Some(store),
            #[cfg(feature = "aws")]
            Goal::S3(s3) => s3.uploader(),
        }
    }

    /// Returns the directory that is used in place of a bucket; it may be in a directory that is packaged.
    pub fn store_directory(&self) -> Option<PathBuf> {
        match &self.goal {
            Goal::Directory { directory, .. } => Some(directory.clone()),
            Goal::Nowhere => None,
            #[cfg(feature = "aws")]
            Goal::S3(_) => None,
        }
    }

    /// Returns `true` when a signal asked the program to end during the upload.
    #[cfg(feature = "aws")]
    pub fn is_interrupted(&self) -> bool {
        self.stop.is_set()
    }
}

fn to_directory(bucket: &str, directory: &str, name: Option<&str>) -> Result<Goal, Failure> {
    if directory.is_empty() {
        return Err("--s3-bucket file: names no directory: write `file:DIR`".into());
    }
    let name = name.ok_or_else(|| {
        format!("--s3-bucket {bucket} needs `--bucket-name NAME`: the bucket that the template names")
    })?;
    let directory = Path::new(directory);
    Ok(Goal::Directory {
        store: DirectoryStore::new(directory),
        directory: directory.to_owned(),
        name: name.to_owned(),
    })
}

/// Returns the bucket of the configuration file.
///
/// # Errors
/// When it is a directory: only the command line may choose where files are written.
fn configured_bucket(configured: &inputs::Upload) -> Result<Option<&str>, Failure> {
    match configured.s3_bucket.as_deref() {
        Some(bucket) if bucket.starts_with("file:") => Err(format!(
            "{}: s3_bucket is a directory, which only the command line may name\n  help: pass `--s3-bucket file:DIR`",
            configured.file()
        )
        .into()),
        bucket => Ok(bucket),
    }
}

/// Returns the error of a program without network support for an S3 bucket, whatever else is configured for it.
#[cfg(not(feature = "aws"))]
fn without_network<T>(bucket: Option<&str>, _: T) -> Result<Goal, Failure> {
    let bucket = bucket.unwrap_or("NAME");
    Err(format!(
        "{}: write the uploads to a directory with `--s3-bucket file:DIR --bucket-name {bucket}`",
        crate::no_network::NO_NETWORK
    )
    .into())
}
