//! The counts of many runs, added up. Programs that note when functions are called cannot add to a file of counts
//! themselves, and a file is large: so they are added after every few runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::clear;
use crate::command::finish;

/// Files that wait at most, some 9 MB each.
const MOST_WAITING: usize = 16;

/// Counts of runs.
#[derive(Debug)]
pub(super) struct Counts<'c> {
    /// LLVM's tool that adds counts.
    tool: &'c Path,
    /// The sum, once there is one.
    profile: &'c Path,
    /// Where each run leaves its counts.
    folder: PathBuf,
    /// What was run and is not in the sum, with the weight of each.
    waiting: Vec<(u32, PathBuf)>,
}

impl Counts<'_> {
    /// No counts: those of the last time are removed.
    ///
    /// # Errors
    /// When a file or directory cannot be removed or created.
    pub(super) fn none<'c>(tool: &'c Path, profile: &'c Path, folder: &Path) -> Result<Counts<'c>, String> {
        clear(folder)?;
        if profile.exists() {
            fs::remove_file(profile).map_err(|error| format!("{}: {error}", profile.display()))?;
        }
        Ok(Counts { tool, profile, folder: folder.to_path_buf(), waiting: Vec::new() })
    }

    /// Where the next run leaves its counts.
    pub(super) fn of_next_run(&self) -> PathBuf {
        self.folder.join(format!("{}.profraw", self.waiting.len()))
    }

    /// Takes the counts of the run that ended, as often as its weight.
    ///
    /// # Errors
    /// Those of [`Counts::merge`].
    pub(super) fn add(&mut self, weight: u32) -> Result<(), String> {
        self.waiting.push((weight, self.of_next_run()));
        if self.waiting.len() < MOST_WAITING { Ok(()) } else { self.merge() }
    }

    /// Adds what waits to the sum.
    ///
    /// # Errors
    /// When the tool fails, as it does without a file of counts.
    pub(super) fn merge(&mut self) -> Result<(), String> {
        let sum = self.profile.exists().then(|| (1, self.profile.to_path_buf()));
        let inputs = sum.into_iter().chain(self.waiting.drain(..));
        let inputs = inputs.map(|(weight, file)| format!("--weighted-input={weight},{}", file.display()));
        let new = self.folder.join("sum");
        finish(Command::new(self.tool).args(["merge", "--sparse", "--output"]).arg(&new).args(inputs))?;
        fs::rename(&new, self.profile).map_err(|error| format!("{}: {error}", self.profile.display()))?;
        clear(&self.folder)
    }
}
