//! Arguments of `sync` (reference/sync.md#options).

use std::path::PathBuf;

use clap::Args;
use formwork_run::args::either;
use formwork_stacks::deploy::DeployArgs;

use crate::Scope;

/// The arguments of `sync`.
#[derive(Clone, Debug, Args)]
pub struct SyncArgs {
    /// Options of the rounds.
    #[command(flatten)]
    pub sync: SyncOptions,
    /// The deployments.
    #[command(flatten)]
    pub deploy: DeployArgs,
}

/// Options of the rounds.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Sync")]
pub struct SyncOptions {
    /// Watch the files of the project, and sync again after each change.
    #[arg(long, overrides_with = "no_watch")]
    pub watch: bool,
    /// Sync once, even if samconfig.toml sets `watch`.
    #[arg(long, overrides_with = "watch")]
    pub no_watch: bool,
    /// Push only code, and deploy nothing.
    #[arg(long)]
    pub code: bool,
    /// Whose code is pushed.
    #[command(flatten)]
    pub scope: Scope,
    /// Ignore changes of files that match this .gitignore pattern, for one resource as `ID=PATTERN`; repeatable.
    #[arg(long, value_name = "[ID=]PATTERN")]
    pub watch_exclude: Vec<String>,
    /// Write artifacts and the built template to this directory [default: .formwork/build next to the template].
    #[arg(short, long, value_name = "DIR")]
    pub build_dir: Option<PathBuf>,
    /// Resolve relative source paths from this directory [default: the directory of the template].
    #[arg(short = 's', long, value_name = "DIR")]
    pub base_dir: Option<PathBuf>,
    /// Run build tools in the source directories instead of copies.
    #[arg(long)]
    pub build_in_source: bool,
}

impl SyncOptions {
    /// Returns whether files are watched, whatever `samconfig.toml` sets.
    pub fn watches(&self) -> Option<bool> {
        either(self.watch, self.no_watch)
    }
}
