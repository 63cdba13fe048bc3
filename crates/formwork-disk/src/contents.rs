//! A cache of the files that several templates of a run read.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use formwork_base::{FileBytes, ReadError, lock};

use crate::file_id::FileId;

#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// The path without links.
    pub(crate) real: PathBuf,
    pub(crate) id: Option<FileId>,
    pub(crate) bytes: FileBytes,
}

type SharedRead = Arc<OnceLock<Result<Content, ReadError>>>;

/// The files of a project that its templates refer to, by the paths that lead to them. A thread that requests a file
/// which another one reads waits for it.
#[derive(Debug, Default)]
pub(crate) struct Contents(Mutex<HashMap<PathBuf, SharedRead>>);

impl Contents {
    pub(crate) fn get(
        &self,
        path: &Path,
        read: impl FnOnce() -> Result<Content, ReadError>,
    ) -> Result<Content, ReadError> {
        let slot = {
            let mut known = lock(&self.0);
            Arc::clone(known.entry(crate::without_dots(path)).or_default())
        };
        slot.get_or_init(read).clone()
    }
}
