//! Checks that programs respond, each once in a run.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::build_error::BuildError;
use crate::command::{Command, Runner};

#[derive(Debug, Default)]
pub(crate) struct Answers(Mutex<HashMap<PathBuf, Arc<Mutex<Option<bool>>>>>);

impl Answers {
    /// Returns `true` when a program exits with success. It runs once; other callers wait for its result.
    ///
    /// # Errors
    /// When it cannot be run, and when the run is interrupted.
    pub(crate) fn ask(&self, question: &Command, runner: &Runner<'_>) -> Result<bool, BuildError> {
        let known = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(all.entry(question.program().to_owned()).or_default())
        };
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        match *known {
            Some(answer) => Ok(answer),
            None => Ok(*known.insert(runner.status(question)?.success())),
        }
    }
}
