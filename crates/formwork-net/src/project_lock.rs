//! The lock of a project in a run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use formwork_base::{FileBytes, ReadError, lock};
use formwork_disk::{read_inside, replace};

use crate::RemoteError;
use crate::lock::{LOCK_FILE, Lock};

const LOCK_BYTES: u64 = 64 << 20;

/// The state that the templates of a run share in a project: the pins before the run, the current pins, and the sources
/// that were read. Threads share it.
#[derive(Debug)]
pub struct ProjectLock {
    root: PathBuf,
    path: PathBuf,
    before: Lock,
    now: Mutex<Lock>,
    sources: Mutex<BTreeMap<String, Arc<Once>>>,
}

type Once = OnceLock<Result<Source, RemoteError>>;

#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The SHA-256 in hexadecimal.
    pub(crate) sha256: String,
    pub(crate) bytes: FileBytes,
}

/// The error of reading or writing the lock of a project, or the sources stored beside it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LockError {
    /// The file is not a lock.
    Unusable {
        /// The path of the file.
        path: PathBuf,
        /// The reason, as a clause.
        why: String,
    },
    /// The file cannot be read.
    Unread {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        error: ReadError,
    },
    /// The file cannot be written.
    Unwritten {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// Unused sources cannot be removed: the reason.
    NotRemoved(String),
    /// A source cannot be stored with the project.
    NotStored {
        /// The address of the source.
        address: String,
        /// The reason.
        why: String,
    },
}

impl std::fmt::Display for LockError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            LockError::Unusable { path, why } => write!(f, "{} cannot be used: {why}", path.display()),
            LockError::Unread { path, error } => write!(f, "{} cannot be read: {error}", path.display()),
            LockError::Unwritten { path, why } => write!(f, "{} cannot be written: {why}", path.display()),
            LockError::NotRemoved(why) => write!(f, "old sources cannot be removed: {why}"),
            LockError::NotStored { address, why } => write!(f, "{address} cannot be stored: {why}"),
        }
    }
}

impl std::error::Error for LockError {}

impl ProjectLock {
    /// Reads the lock of the project in `root`; without a lock file nothing is pinned.
    ///
    /// # Errors
    /// When the lock file exists and cannot be read.
    pub fn read(root: &Path) -> Result<ProjectLock, LockError> {
        let path = root.join(LOCK_FILE);
        let before = match read_inside(root, &path, LOCK_BYTES) {
            Ok(bytes) => String::from_utf8(bytes)
                .map_err(|_| "it is not UTF-8 text".to_owned())
                .and_then(|text| Lock::parse(&text).map_err(|error| error.to_string()))
                .map_err(|why| LockError::Unusable { path: path.clone(), why })?,
            Err(ReadError::NotFound) => Lock::default(),
            Err(error) => return Err(LockError::Unread { path, error }),
        };
        let now = Mutex::new(before.clone());
        Ok(ProjectLock { root: root.to_owned(), path, before, now, sources: Mutex::default() })
    }

    /// Returns the project root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the path of the lock file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns `true` if an address was pinned before the run.
    pub fn is_pinned(&self, address: &str) -> bool {
        self.before.get(address).is_some()
    }

    /// Returns the pins before the run.
    pub(crate) fn before(&self) -> &Lock {
        &self.before
    }

    /// Returns the source at an address. It is requested once in a run; other threads wait for it.
    pub(crate) fn source(
        &self,
        address: &str,
        find: impl FnOnce() -> Result<Source, RemoteError>,
    ) -> Result<Source, RemoteError> {
        let source = Arc::clone(lock(&self.sources).entry(address.to_owned()).or_default());
        source.get_or_init(find).clone()
    }

    /// Changes the pins. Returns `true` if that changed the lock file.
    pub(crate) fn change(&self, change: impl FnOnce(&mut Lock)) -> Result<bool, LockError> {
        let mut now = lock(&self.now);
        let mut lock = now.clone();
        change(&mut lock);
        if lock == *now {
            return Ok(false);
        }
        let trouble = |error: std::io::Error| LockError::Unwritten { path: self.path.clone(), why: error.to_string() };
        replace(&self.path, |file| file.write_all(lock.to_text().as_bytes())).map_err(trouble)?;
        *now = lock;
        Ok(true)
    }
}
