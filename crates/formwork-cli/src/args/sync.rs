//! Arguments of `sync` (reference/sync.md#options).

use std::path::PathBuf;

use clap::Args;

use super::DeployArgs;

#[derive(Debug, Args)]
pub(crate) struct SyncArgs {
    #[command(flatten)]
    pub(crate) sync: SyncOptions,
    #[command(flatten)]
    pub(crate) deploy: DeployArgs,
}

/// What is synced, and when.
#[derive(Debug, Args)]
#[command(next_help_heading = "Sync")]
pub(crate) struct SyncOptions {
    /// Watch the files of the project, and sync again after each change.
    #[arg(long, overrides_with = "no_watch")]
    pub(crate) watch: bool,
    /// Sync once, even if samconfig.toml sets `watch`.
    #[arg(long, overrides_with = "watch")]
    pub(crate) no_watch: bool,
    /// Push only code, and deploy nothing.
    #[arg(long)]
    pub(crate) code: bool,
    /// With --code, push only this resource, by its logical ID in the expanded template; repeatable.
    #[arg(long, value_name = "LOGICAL_ID")]
    pub(crate) resource_id: Vec<String>,
    /// With --code, push only resources of this type, such as `AWS::Serverless::Function`; repeatable.
    #[arg(long, value_name = "TYPE")]
    pub(crate) resource: Vec<String>,
    /// Ignore changes of files that match this .gitignore pattern, for one resource as `ID=PATTERN`; repeatable.
    #[arg(long, value_name = "[ID=]PATTERN")]
    pub(crate) watch_exclude: Vec<String>,
    /// Write artifacts and the built template to this directory [default: .formwork/build next to the template].
    #[arg(short, long, value_name = "DIR")]
    pub(crate) build_dir: Option<PathBuf>,
    /// Resolve relative source paths from this directory [default: the directory of the template].
    #[arg(short = 's', long, value_name = "DIR")]
    pub(crate) base_dir: Option<PathBuf>,
    /// Run build tools in the source directories instead of copies.
    #[arg(long)]
    pub(crate) build_in_source: bool,
}
