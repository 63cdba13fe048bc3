//! The progress of a build on standard error.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use formwork_build::{Event, Job};
use formwork_report::printable;

use crate::console::ReportArgs;
use crate::terminal::say_line;
use crate::working::Working;

/// Shows the sources that are built on a terminal; prints a line for each event with `--verbose`.
pub struct BuildProgress {
    shows: bool,
    is_verbose: bool,
    is_quiet: bool,
    working: Mutex<Option<Working>>,
    planned: AtomicUsize,
    finished: AtomicUsize,
}

impl BuildProgress {
    /// Creates a progress that prints in the form of the report.
    pub fn new(report: &ReportArgs) -> BuildProgress {
        let shows = !report.quiet && !report.verbose;
        BuildProgress {
            shows,
            is_verbose: report.verbose,
            is_quiet: report.quiet,
            working: Mutex::new(Some(Working::begin("reading the sources", 1, shows))),
            planned: AtomicUsize::new(0),
            finished: AtomicUsize::new(0),
        }
    }

    /// Prints an event of the build.
    pub fn report(&self, event: Event<'_>) {
        match event {
            Event::Waiting if self.is_quiet => {}
            Event::Waiting => say_line("waiting for another build in the same build directory"),
            Event::Planned(count) => {
                self.planned.store(count, Ordering::Relaxed);
                let mut working = self.working();
                // The line before is erased first.
                *working = None;
                *working = Some(Working::begin("building {} sources", count, self.shows));
            }
            Event::Started(job) => self.show(job, "building", false),
            Event::Finished(job) => {
                self.finished.fetch_add(1, Ordering::Relaxed);
                self.show(job, "built", true);
            }
            Event::Failed(job) => self.show(job, "failed", true),
        }
    }

    fn show(&self, job: &Job, what: &str, has_ended: bool) {
        if self.is_verbose {
            return say_line(&format!("{what} {}", name(job)));
        }
        match self.working().as_ref() {
            Some(working) if has_ended => working.step(&name(job)),
            Some(working) => working.name(&name(job)),
            None => {}
        }
    }

    fn working(&self) -> MutexGuard<'_, Option<Working>> {
        self.working.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Erases the line, and returns what an interrupted build has left: `2 of 5 sources are built, and are not built
    /// again`; empty if it has built nothing.
    pub fn end(self) -> String {
        *self.working() = None;
        let (planned, finished) = (self.planned.into_inner(), self.finished.into_inner());
        match finished {
            0 => String::new(),
            1 => format!("1 of {planned} sources is built, and is not built again"),
            _ => format!("{finished} of {planned} sources are built, and are not built again"),
        }
    }
}

fn name(job: &Job) -> String {
    let others = job.users.len() - 1;
    let more = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!("{}{more} ({})", printable(&job.resource), job.builder_name())
}
