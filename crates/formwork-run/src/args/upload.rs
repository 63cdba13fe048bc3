//! Where files are uploaded to: arguments of commands that package.

use clap::Args;

/// Options of uploads.
#[derive(Clone, Default, Debug, Args)]
#[command(next_help_heading = "Upload")]
pub struct UploadArgs {
    /// Upload to this bucket, or write to a directory with `file:DIR`.
    #[arg(long, value_name = "BUCKET")]
    pub s3_bucket: Option<String>,
    /// Name this bucket in the packaged template when `--s3-bucket` is a directory.
    #[arg(long, value_name = "NAME")]
    pub bucket_name: Option<String>,
    /// Upload to the bucket that SAM CLI manages for the account and Region, and create it if it does not exist.
    #[arg(long, overrides_with = "no_resolve_s3")]
    pub resolve_s3: bool,
    /// Do not use that bucket, even if samconfig.toml sets it.
    #[arg(long, overrides_with = "resolve_s3")]
    pub no_resolve_s3: bool,
    /// Prefix the keys of uploaded objects.
    #[arg(long, value_name = "PREFIX")]
    pub s3_prefix: Option<String>,
    /// Encrypt objects with this KMS key [default: S3-managed keys].
    #[arg(long, value_name = "KEY")]
    pub kms_key_id: Option<String>,
    /// Add metadata to every object: `NAME=VALUE`, separated by commas, or a JSON object.
    #[arg(long, value_name = "K=V,...")]
    pub metadata: Option<String>,
    /// Push images to this repository: `HOST/PATH`.
    #[arg(long, value_name = "URI")]
    pub image_repository: Option<String>,
    /// Push the image of one function to a repository: `LOGICALID=URI`; repeatable. Use generated IDs in loops.
    #[arg(long, value_name = "LOGICALID=URI")]
    pub image_repositories: Vec<String>,
    /// Push images to the ECR repositories that SAM CLI manages for the functions of the stack, and create missing ones.
    #[arg(long)]
    pub resolve_image_repos: bool,
    /// Upload artifacts even if they exist already.
    #[arg(long)]
    pub force_upload: bool,
    /// Create and upload this many objects and images in parallel.
    #[arg(long, value_name = "NUMBER", default_value_t = 8)]
    pub concurrency: usize,
    /// Do not print a line for each upload.
    #[arg(long)]
    pub no_progressbar: bool,
}
