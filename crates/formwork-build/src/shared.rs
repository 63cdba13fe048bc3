//! What the sources of a run have in common.

use std::sync::{Mutex, PoisonError};

use crate::answers::Answers;
use crate::installations::Installations;
use crate::written::Written;

/// What sources of one run use together.
#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) answers: Answers,
    pub(crate) installations: Installations,
    /// What tools wrote into directories of sources.
    written: Mutex<Written>,
}

impl Shared {
    pub(crate) fn new(installations: Installations) -> Shared {
        Shared { installations, ..Shared::default() }
    }

    /// Keeps what a tool wrote into directories of sources.
    pub(crate) fn note_written(&self, written: Written) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).add_written(written);
    }

    /// What tools wrote into directories of sources.
    pub(crate) fn into_written(self) -> Written {
        self.written.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
