//! The choices of a command line, as plain data.

use std::path::PathBuf;

use formwork_stacks::deploy::DeployChoices;

use crate::Scope;

/// The arguments of a sync.
#[derive(Clone, Debug)]
pub struct SyncChoices {
    /// Watches files or not; `None` leaves that to `samconfig.toml`.
    pub watch: Option<bool>,
    /// Pushes code without deploying.
    pub code: bool,
    /// The resources whose code is pushed.
    pub scope: Scope,
    /// Patterns of files whose changes do not count; `ID=PATTERN` applies to one resource.
    pub watch_exclude: Vec<String>,
    /// The build directory.
    pub build_dir: Option<PathBuf>,
    /// The directory that paths of sources start from.
    pub base_dir: Option<PathBuf>,
    /// Runs build tools in the directories of sources.
    pub build_in_source: bool,
    /// The arguments of the deployments.
    pub deploy: DeployChoices,
}
