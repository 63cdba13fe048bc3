//! Reads the files of a project from the disk, and remote modules from the network, the lock file and the cache.

use std::path::{Path, PathBuf};
#[cfg(feature = "aws")]
use std::sync::Arc;

use formwork::disk::{Loader, is_inside, project_root, read_inside};
use formwork::{DiskHost, FileBytes, Host, Origins, ReadError, VirtualPath};
use formwork_project::Failure;
#[cfg(feature = "aws")]
use formwork_project::loader_in;
pub use formwork_project::notes::shown;

use crate::args::InputArgs;
use crate::default_template::warn_of_origin;
#[cfg(feature = "aws")]
use crate::folder::folder;
#[cfg(feature = "aws")]
use crate::remote_sources::RemoteSources;

/// The project root with its lock file, shared by templates.
pub struct Project {
    /// The loader that has read the lock file.
    loader: Loader,
    #[cfg(feature = "aws")]
    lock: Arc<formwork_net::ProjectLock>,
}

impl Project {
    /// Opens the project in `root`, whose files `loader` reads.
    ///
    /// # Errors
    /// When the lock file cannot be used.
    #[cfg(feature = "aws")]
    pub fn open(root: &Path, loader: Loader) -> Result<Project, Failure> {
        use formwork_project::FileFailure;
        let unfit =
            |error: formwork_net::LockError| FileFailure::unfit(&root.join(formwork_net::LOCK_FILE), error.to_string());
        let lock = formwork_net::ProjectLock::read(root).map_err(unfit)?;
        loader.note(lock.path());
        Ok(Project { loader, lock: Arc::new(lock) })
    }

    /// Opens the project in `root`, whose files `loader` reads.
    ///
    /// # Errors
    /// None without a network: no lock is read.
    #[cfg(not(feature = "aws"))]
    pub fn open(_root: &Path, loader: Loader) -> Result<Project, Failure> {
        Ok(Project { loader })
    }

    /// Returns a loader for files of the project, with a cache of its own.
    pub fn loader(&self) -> Loader {
        self.loader.apart()
    }
}

/// Reads the files of a project.
pub struct ProjectHost {
    disk: DiskHost,
    #[cfg(feature = "aws")]
    remote: RemoteSources,
    /// The build directory whose templates are shown as authored.
    built: Option<PathBuf>,
    /// A template that was written from other files, and its places in them.
    written: Option<(VirtualPath, Origins)>,
    #[cfg(feature = "aws")]
    is_offline: bool,
    /// Set for commands that pin the sources that they read.
    #[cfg(feature = "aws")]
    pins: bool,
}

impl Host for ProjectHost {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.disk.read(path)
    }

    fn full_path(&self, path: &VirtualPath) -> String {
        self.disk.full_path(path)
    }

    fn identity(&self, path: &VirtualPath) -> String {
        self.disk.identity(path)
    }

    fn origins(&self, path: &VirtualPath) -> Option<Origins> {
        if let Some((_, origins)) = self.written.as_ref().filter(|(written, _)| written == path) {
            return Some(origins.clone());
        }
        let directory = self.built.as_ref()?;
        let bytes = self.disk.read(path).ok()?;
        let display = |path: &Path| shown(path).to_string_lossy().into_owned();
        let found = formwork_build::origins(directory, path.as_str(), &bytes, &display)?;
        for file in &found.files {
            // Files in a build record are read inside the project alone.
            let path = std::path::absolute(&file.display).ok()?;
            let is_changed = match read_inside(self.root(), &path, file.bytes.len() as u64) {
                Ok(now) => now != *file.bytes,
                Err(error) => matches!(error, ReadError::TooLarge { .. }),
            };
            if is_changed {
                warn_of_origin(&file.display);
            }
        }
        Some(found)
    }

    #[cfg(feature = "aws")]
    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        use formwork_net::RemoteError;
        self.remote.remote().read(address).map_err(|error| match error {
            RemoteError::NotAllowed(_) => ReadError::NotFetched,
            RemoteError::Offline if !self.is_offline => ReadError::NotFetched,
            RemoteError::TooLarge(limit) => ReadError::TooLarge { limit },
            RemoteError::Scheme | RemoteError::Private { .. } | RemoteError::Redirect(_) => {
                ReadError::Refused(error.to_string())
            }
            RemoteError::Changed { .. } => ReadError::Changed(error.to_string()),
            RemoteError::Unreachable { why, help } => ReadError::Unreachable { why, help },
            RemoteError::Offline => {
                let help = "run the command once without `--offline` and with `--allow-remote HOST`, or `formwork modules vendor`";
                ReadError::Unreachable { why: error.to_string(), help: help.to_owned() }
            }
            RemoteError::Status(status) => {
                let help = if status >= 500 { "try again later" } else { "check the address and its permissions" };
                ReadError::Unreachable { why: error.to_string(), help: help.to_owned() }
            }
            RemoteError::Other(_) => ReadError::Other(error.to_string()),
        })
    }

    #[cfg(feature = "aws")]
    fn is_pinned(&self, address: &str) -> bool {
        self.pins || self.remote.is_pinned(address)
    }
}

impl ProjectHost {
    /// Shows locations in a template as locations in the files that it was written from.
    #[must_use]
    pub fn with_origins(self, path: &VirtualPath, origins: Origins) -> ProjectHost {
        ProjectHost { written: Some((path.clone(), origins)), ..self }
    }

    /// Shows locations in templates that a build wrote to `directory` as locations in the authored ones.
    #[must_use]
    pub fn showing_authored(self, directory: &Path) -> ProjectHost {
        let built = formwork_build::built_template(directory).map(|_| directory.to_owned());
        ProjectHost { built, ..self }
    }

    /// Creates the host for the project of `template`.
    ///
    /// # Errors
    /// When the project root or the lock file cannot be used.
    #[cfg(feature = "aws")]
    pub fn new(template: &Path, inputs: &InputArgs) -> Result<ProjectHost, Failure> {
        ProjectHost::alone(template, inputs, None)
    }

    /// Like [`ProjectHost::new`], for commands that pin the sources that they read; with `is_update` everything is
    /// fetched again.
    ///
    /// # Errors
    /// When the project root or the lock file cannot be used.
    #[cfg(feature = "aws")]
    pub fn pinning(template: &Path, inputs: &InputArgs, is_update: bool) -> Result<ProjectHost, Failure> {
        ProjectHost::alone(template, inputs, Some(is_update))
    }

    #[cfg(feature = "aws")]
    fn alone(template: &Path, inputs: &InputArgs, pinning: Option<bool>) -> Result<ProjectHost, Failure> {
        let base = folder(template);
        let root = root(base, inputs);
        let project = Project::open(&root, loader_in(&root)?)?;
        ProjectHost::with(base, &project, project.loader(), inputs, pinning)
    }

    /// Creates the host for a template in `base`, in a known project.
    ///
    /// # Errors
    /// When the arguments contradict each other.
    pub fn in_project(
        base: &Path,
        project: &Project,
        loader: Loader,
        inputs: &InputArgs,
    ) -> Result<ProjectHost, Failure> {
        ProjectHost::with(base, project, loader, inputs, None)
    }

    fn with(
        base: &Path,
        project: &Project,
        loader: Loader,
        inputs: &InputArgs,
        pinning: Option<bool>,
    ) -> Result<ProjectHost, Failure> {
        let disk = DiskHost::with_loader(base, loader);
        #[cfg(feature = "aws")]
        return Ok(ProjectHost {
            remote: RemoteSources::new(&project.lock, inputs, pinning == Some(true))?,
            disk,
            built: None,
            written: None,
            is_offline: inputs.live.offline,
            pins: pinning.is_some(),
        });
        #[cfg(not(feature = "aws"))]
        {
            let _ = (project, pinning);
            if inputs.allow_remote.is_empty() {
                Ok(ProjectHost { disk, built: None, written: None })
            } else {
                Err(crate::no_network::NO_NETWORK.into())
            }
        }
    }

    /// Returns the loader of the project's files.
    pub fn loader(&self) -> &Loader {
        self.disk.loader()
    }

    /// Returns the project root.
    pub fn root(&self) -> &Path {
        self.disk.loader().root()
    }

    /// Pins the sources that were fetched for the first time. Called when a run has succeeded.
    ///
    /// # Errors
    /// When the lock file cannot be written.
    #[cfg(feature = "aws")]
    pub fn write_lock(&self) -> Result<(), Failure> {
        self.remote.write_lock()
    }

    /// Returns the remote sources of the run.
    #[cfg(feature = "aws")]
    pub fn remote(&self) -> &formwork_net::Remote {
        self.remote.remote()
    }
}

/// Returns the project root of a template in `folder`: the one on the command line, else that of the project that
/// contains the build directory, else the one that is found.
pub fn root(directory: &Path, inputs: &InputArgs) -> PathBuf {
    let built = || formwork_build::built_template(directory).map(|built| built.root);
    let Some(named) = &inputs.project_root else { return built().unwrap_or_else(|| project_root(directory)) };
    // For a template that the project's build wrote elsewhere, the project counts as around it.
    let is_outside = || {
        let real = named.canonicalize().ok().zip(directory.canonicalize().ok());
        real.is_some_and(|(root, directory)| !is_inside(&root, &directory))
    };
    if is_outside() && formwork_build::is_built_from(directory, named) { directory.to_owned() } else { named.clone() }
}

/// Returns a loader for the project of a template in `folder`.
///
/// # Errors
/// When the project root cannot be used.
#[cfg(feature = "aws")]
pub fn loader_of(directory: &Path, inputs: &InputArgs) -> Result<Loader, Failure> {
    loader_in(&root(directory, inputs))
}
