//! What the templates of one run read alike, read once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

use formwork_base::{FileBytes, ReadError, lock};

use crate::file_id::FileId;

/// A file of a project that was read.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    /// Its path without links.
    pub(crate) real: PathBuf,
    /// Which file it was.
    pub(crate) id: Option<FileId>,
    pub(crate) bytes: FileBytes,
}

type Slot = Arc<OnceLock<Result<Content, ReadError>>>;

/// The files of a project that its templates named, by the paths that lead to them. Who asks for one that another thread
/// reads waits for it.
#[derive(Debug, Default)]
pub(crate) struct Contents(Mutex<HashMap<PathBuf, Slot>>);

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
