//! How files enter the core.

use std::collections::BTreeMap;
use std::ops::Deref;

use crate::{FileBytes, Origins, VirtualPath};

/// Why a file could not be read.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum ReadError {
    /// No such file.
    NotFound,
    /// It is a directory.
    IsDirectory,
    /// It lies outside the project root.
    OutsideRoot,
    /// The user may not read it.
    Denied,
    /// It is not a regular file, but this: `a named pipe`.
    NotRegular(&'static str),
    /// Reading it would exceed a limit of the run on all files together, in words.
    Limit(String),
    /// It is larger than the limit, in bytes.
    TooLarge {
        /// Most bytes that are read.
        limit: u64,
    },
    /// It is remote and was not fetched.
    NotFetched,
    /// It is remote and must not be fetched, in words.
    Refused(String),
    /// It is remote, and the network did not bring it.
    Unreachable {
        /// What went wrong.
        why: String,
        /// What to do about it.
        help: String,
    },
    /// It is remote, and is not what the project pins, in words.
    Changed(String),
    /// Anything else, in the words of the operating system.
    Other(String),
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ReadError::NotFound => f.write_str("no such file"),
            ReadError::IsDirectory => f.write_str("it is a directory"),
            ReadError::OutsideRoot => f.write_str("it is outside the project root"),
            ReadError::Denied => f.write_str("permission denied"),
            ReadError::NotRegular(what) => write!(f, "it is {what}, not a regular file"),
            ReadError::Limit(what) => f.write_str(what),
            ReadError::TooLarge { limit } => write!(f, "it is larger than the limit of {limit} bytes"),
            ReadError::NotFetched => f.write_str("it is remote and was not fetched"),
            ReadError::Refused(why)
            | ReadError::Unreachable { why, .. }
            | ReadError::Changed(why)
            | ReadError::Other(why) => f.write_str(why),
        }
    }
}

impl std::error::Error for ReadError {}

/// Everything that a compilation reads comes through a host: a disk, a map in memory, an editor's
/// open buffers. Implementations reject paths outside their roots. Several runs, on several threads, may read at the same time.
pub trait Host: Send + Sync {
    /// The bytes of the file at `path`, which is relative to the directory of the root template.
    ///
    /// # Errors
    /// The reason why the file cannot be read.
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError>;

    /// The bytes at a remote address, `https://...` or `s3://...`, as a driver fetched them before
    /// the run: nothing is fetched here.
    ///
    /// # Errors
    /// [`ReadError::NotFetched`] unless a driver fetched it.
    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        let _ = address;
        Err(ReadError::NotFetched)
    }

    /// The path of a file as messages name it to people who look for it: absolute on a disk.
    fn full_path(&self, path: &VirtualPath) -> String {
        path.to_string()
    }

    /// What identifies a file, whatever path leads to it: links are followed.
    fn identity(&self, path: &VirtualPath) -> String {
        self.full_path(path)
    }

    /// Where the text of the file at `path` comes from, when it was generated and its places are to be shown as they were
    /// authored.
    fn origins(&self, path: &VirtualPath) -> Option<Origins> {
        let _ = path;
        None
    }

    /// Whether the project pins what is at a remote address, by a lock file for instance.
    fn is_pinned(&self, address: &str) -> bool {
        let _ = address;
        false
    }
}

impl<P: Deref<Target: Host> + Send + Sync> Host for P {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        (**self).read(path)
    }

    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        (**self).read_remote(address)
    }

    fn full_path(&self, path: &VirtualPath) -> String {
        (**self).full_path(path)
    }

    fn identity(&self, path: &VirtualPath) -> String {
        (**self).identity(path)
    }

    fn origins(&self, path: &VirtualPath) -> Option<Origins> {
        (**self).origins(path)
    }

    fn is_pinned(&self, address: &str) -> bool {
        (**self).is_pinned(address)
    }
}

/// A host of files in memory, for tests, editors and browsers.
#[derive(Clone, Debug, Default)]
pub struct MemoryHost {
    files: BTreeMap<VirtualPath, FileBytes>,
    remote: BTreeMap<String, FileBytes>,
}

impl MemoryHost {
    /// A host without files.
    pub fn new() -> MemoryHost {
        MemoryHost::default()
    }

    /// Adds or replaces a file: by its path, or a remote one by its whole address.
    #[must_use]
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> MemoryHost {
        if path.contains("://") {
            self.remote.insert(path.to_owned(), bytes.into().into());
            return self;
        }
        self.files.insert(VirtualPath::new(path), bytes.into().into());
        self
    }
}

impl Host for MemoryHost {
    fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        if path.as_str().starts_with("..") || path.as_str().starts_with('/') {
            return Err(ReadError::OutsideRoot);
        }
        self.files.get(path).cloned().ok_or(ReadError::NotFound)
    }

    fn read_remote(&self, address: &str) -> Result<FileBytes, ReadError> {
        self.remote.get(address).cloned().ok_or(ReadError::NotFetched)
    }
}
