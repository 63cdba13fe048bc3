//! Paths as messages show them and as files are compared.

use std::path::{Path, PathBuf};

use formwork_disk::without_dots;

/// Returns the absolute path, with `.` and `..` resolved without following links.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let full = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    without_dots(&full)
}

/// Returns the real path of a file that need not exist yet.
pub(crate) fn real(path: &Path) -> PathBuf {
    let full = absolute(path);
    if let Ok(real) = full.canonicalize() {
        return real;
    }
    match (full.parent().map(real), full.file_name()) {
        (Some(parent), Some(name)) => parent.join(name),
        _ => full,
    }
}
