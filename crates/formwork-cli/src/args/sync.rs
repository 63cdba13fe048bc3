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
    /// Sync once, whatever samconfig.toml says.
    #[arg(long, overrides_with = "watch")]
    pub(crate) no_watch: bool,
    /// Push code alone, and deploy nothing.
    #[arg(long)]
    pub(crate) code: bool,
    /// Push the code of this resource alone, by its logical ID after expansion; repeatable. With --code.
    #[arg(long, value_name = "LOGICAL_ID")]
    pub(crate) resource_id: Vec<String>,
    /// Push the code of resources of this type alone, such as `AWS::Serverless::Function`; repeatable. With --code.
    #[arg(long, value_name = "TYPE")]
    pub(crate) resource: Vec<String>,
    /// Files of sources whose changes wake nothing: a pattern of .gitignore, for one resource as `ID=PATTERN`;
    /// repeatable.
    #[arg(long, value_name = "[ID=]PATTERN")]
    pub(crate) watch_exclude: Vec<String>,
    /// The directory for the products and the template that names them; by default .formwork/build beside the
    /// template.
    #[arg(short, long, value_name = "DIR")]
    pub(crate) build_dir: Option<PathBuf>,
    /// The directory that paths of sources start from; by default that of the template.
    #[arg(short = 's', long, value_name = "DIR")]
    pub(crate) base_dir: Option<PathBuf>,
    /// Run the tools in the directories of the sources, not in copies.
    #[arg(long)]
    pub(crate) build_in_source: bool,
}
