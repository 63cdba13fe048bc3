//! The counts of many runs, added up. Programs that note when functions are called cannot add to a file of counts
//! themselves, and a file is large: so they are added after every few runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::clear;
use crate::command::finish;

/// Files that wait at most, some 9 MB each.
const MOST_WAITING: usize = 16;

/// The first calls of functions are kept for all runs, not for a hundred.
const ALL_TRACES: &str = "--temporal-profile-trace-reservoir-size=10000";

/// Counts of runs.
#[derive(Debug)]
pub(super) struct Counts<'c> {
    /// LLVM's tool that adds counts.
    tool: &'c Path,
    /// Where each run leaves its counts, and the sum is made.
    folder: &'c Path,
    /// The weights of the runs that are not in the sum.
    waiting: Vec<u32>,
}

impl<'c> Counts<'c> {
    /// No counts: those of the last time are removed.
    ///
    /// # Errors
    /// When the directory cannot be emptied.
    pub(super) fn none(tool: &'c Path, folder: &'c Path) -> Result<Counts<'c>, String> {
        clear(folder)?;
        Ok(Counts { tool, folder, waiting: Vec::new() })
    }

    /// Where the next run leaves its counts.
    pub(super) fn of_next_run(&self) -> PathBuf {
        self.of_run(self.waiting.len())
    }

    fn of_run(&self, number: usize) -> PathBuf {
        self.folder.join(format!("{number}.profraw"))
    }

    fn sum(&self) -> PathBuf {
        self.folder.join("sum")
    }

    /// Takes the counts of the run that ended, as often as its weight.
    ///
    /// # Errors
    /// When the tool fails, as it does without a file of counts.
    pub(super) fn add(&mut self, weight: u32) -> Result<(), String> {
        self.waiting.push(weight);
        if self.waiting.len() < MOST_WAITING { Ok(()) } else { self.merge() }
    }

    /// Writes the sum of all: the file is there only when they are complete.
    ///
    /// # Errors
    /// Those of [`Counts::add`].
    pub(super) fn write(mut self, profile: &Path) -> Result<(), String> {
        self.merge()?;
        moved(&self.sum(), profile)
    }

    fn merge(&mut self) -> Result<(), String> {
        let sum = Some((1, self.sum())).filter(|(_, sum)| sum.exists());
        let runs: Vec<(u32, PathBuf)> =
            self.waiting.iter().enumerate().map(|(number, &weight)| (weight, self.of_run(number))).collect();
        let inputs = sum.iter().chain(&runs);
        let inputs = inputs.map(|(weight, file)| format!("--weighted-input={weight},{}", file.display()));
        let new = self.folder.join("new");
        finish(Command::new(self.tool).args(["merge", ALL_TRACES, "--output"]).arg(&new).args(inputs))?;
        // What stayed here would be taken for the counts of another run.
        for (_, file) in &runs {
            fs::remove_file(file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        self.waiting.clear();
        moved(&new, &self.sum())
    }
}

fn moved(from: &Path, to: &Path) -> Result<(), String> {
    fs::rename(from, to).map_err(|error| format!("{}: {error}", to.display()))
}
