//! What the words of a command line choose, as plain data.

use std::path::PathBuf;

use formwork_stacks::deploy::DeployChoices;

use crate::Scope;

/// What is wanted of a sync.
#[derive(Clone, Debug)]
pub struct SyncChoices {
    /// Whether files are watched, whatever `samconfig.toml` sets.
    pub watch: Option<bool>,
    /// Whether code alone is pushed.
    pub code: bool,
    /// Whose code is.
    pub scope: Scope,
    /// Patterns of files whose changes do not count, for one resource as `ID=PATTERN`.
    pub watch_exclude: Vec<String>,
    /// The build directory.
    pub build_dir: Option<PathBuf>,
    /// Where paths of sources start.
    pub base_dir: Option<PathBuf>,
    /// Whether tools run in the directories of sources.
    pub build_in_source: bool,
    /// The deployments.
    pub deploy: DeployChoices,
}
