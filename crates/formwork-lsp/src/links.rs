//! Resolution of links in paths.

use std::path::{Path, PathBuf};

use crate::document::name_of;

/// The path of a file with links resolved; the file need not exist yet.
pub(crate) fn without_links(path: &Path) -> Option<PathBuf> {
    let of_directory = || Some(path.parent()?.canonicalize().ok()?.join(name_of(path)));
    path.canonicalize().ok().or_else(of_directory)
}
