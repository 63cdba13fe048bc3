//! The lock of a project in a run.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use formwork_base::{FileBytes, ReadError, lock};
use formwork_disk::{read_inside, replace};

use crate::RemoteError;
use crate::lock::{LOCK_FILE, Lock};

/// Most bytes of a lock file.
const LOCK_BYTES: u64 = 64 << 20;

/// What the templates of a run have in common in a project: what was pinned before the run, what is pinned by now, and
/// the sources that were read. Threads share it.
#[derive(Debug)]
pub struct ProjectLock {
    root: PathBuf,
    path: PathBuf,
    before: Lock,
    now: Mutex<Lock>,
    /// By address.
    sources: Mutex<BTreeMap<String, Arc<Once>>>,
}

/// A source, from when somebody looks for it.
type Once = OnceLock<Result<Source, RemoteError>>;

/// A source that was found.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// Its SHA-256 in hexadecimal.
    pub(crate) sha256: String,
    pub(crate) bytes: FileBytes,
}

/// Why the lock of a project, or what is stored beside it, cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LockError {
    /// The file is not a lock.
    Unusable {
        /// The file.
        path: PathBuf,
        /// A clause.
        why: String,
    },
    /// The file cannot be read.
    Unread {
        /// The file.
        path: PathBuf,
        /// Why.
        error: ReadError,
    },
    /// The file cannot be written.
    Unwritten {
        /// The file.
        path: PathBuf,
        /// Why.
        why: String,
    },
    /// Sources that nothing uses any more cannot be removed: why.
    NotRemoved(String),
    /// A source cannot be stored with the project.
    NotStored {
        /// Its address.
        address: String,
        /// Why.
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
    /// When there is a lock file that cannot be read.
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

    /// The project root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The lock file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether an address was pinned before the run.
    pub fn is_pinned(&self, address: &str) -> bool {
        self.before.get(address).is_some()
    }

    /// What was pinned before the run.
    pub(crate) fn before(&self) -> &Lock {
        &self.before
    }

    /// The source at an address. It is looked for once in a run; others that ask meanwhile wait for it.
    pub(crate) fn source(
        &self,
        address: &str,
        find: impl FnOnce() -> Result<Source, RemoteError>,
    ) -> Result<Source, RemoteError> {
        let source = Arc::clone(lock(&self.sources).entry(address.to_owned()).or_default());
        source.get_or_init(find).clone()
    }

    /// Changes what is pinned. True when the lock file was written, because that is something else now.
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
