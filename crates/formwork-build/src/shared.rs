//! State that the sources of a run share.

use std::sync::{Mutex, PoisonError};

use crate::answers::Answers;
use crate::installations::Installations;
use crate::written::Written;

#[derive(Debug, Default)]
pub(crate) struct Shared {
    pub(crate) answers: Answers,
    pub(crate) installations: Installations,
    written: Mutex<Written>,
}

impl Shared {
    pub(crate) fn new(installations: Installations) -> Shared {
        Shared { installations, ..Shared::default() }
    }

    pub(crate) fn note_written(&self, written: Written) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).add_written(written);
    }

    pub(crate) fn into_written(self) -> Written {
        self.written.into_inner().unwrap_or_else(PoisonError::into_inner)
    }
}
