//! Finds tools of the user on the PATH; they are never downloaded (reference/build.md#tools).

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::build_error::BuildError;

/// The directories in which tools are searched.
#[derive(Clone, Debug, Default)]
pub struct SearchPath(Vec<PathBuf>);

impl SearchPath {
    /// Parses a variable such as `PATH`.
    pub fn new(path: &OsStr) -> SearchPath {
        SearchPath(std::env::split_paths(path).filter(|directory| directory.is_absolute()).collect())
    }

    pub(crate) fn find(&self, name: &str) -> Option<PathBuf> {
        let candidates = self.0.iter().map(|directory| directory.join(name));
        let mut named = candidates.chain(cfg!(windows).then(|| self.windows(name)).into_iter().flatten());
        named.find(|path| is_program(path))
    }

    fn windows(&self, name: &str) -> Vec<PathBuf> {
        self.0.iter().flat_map(|directory| ["exe", "cmd"].map(|end| directory.join(format!("{name}.{end}")))).collect()
    }

    /// Returns the path of the program with a name.
    ///
    /// # Errors
    /// When the program does not exist; `help` is the advice of the error.
    pub(crate) fn require(&self, name: &str, help: &str) -> Result<PathBuf, BuildError> {
        self.find(name).ok_or_else(|| BuildError::Missing { tool: name.to_owned(), help: help.to_owned() })
    }
}

/// Identifies a version of a program without running it: by its real path, its size and its modification time.
pub(crate) fn stamp(program: &Path) -> String {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let metadata = real.metadata().ok();
    let size = metadata.as_ref().map_or(0, std::fs::Metadata::len);
    let modified = metadata.and_then(|metadata| metadata.modified().ok());
    let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok()).map_or(0, |time| time.as_nanos());
    format!("{} {size} {modified}", real.display())
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}
