//! The progress of a build on standard error.

use std::io::IsTerminal;

use formwork_build::{Event, Job};
use formwork_report::printable;

use crate::console::ReportArgs;
use crate::terminal::say_line;

/// Prints a line for each source that is built, when standard error is a terminal.
pub struct BuildProgress {
    shows: bool,
    is_quiet: bool,
}

impl BuildProgress {
    /// Creates a progress that prints in the form of the report.
    pub fn new(report: &ReportArgs) -> BuildProgress {
        let shows = !report.quiet && (report.verbose || std::io::stderr().is_terminal());
        BuildProgress { shows, is_quiet: report.quiet }
    }

    /// Prints an event of the build.
    pub fn report(&self, event: Event<'_>) {
        match event {
            Event::Waiting if self.is_quiet => {}
            Event::Waiting => say_line("waiting for another build in the same build directory"),
            _ if !self.shows => {}
            Event::Started(job) => say_line(&format!("building {}", name(job))),
            Event::Finished(job) => say_line(&format!("built {}", name(job))),
            Event::Failed(job) => say_line(&format!("failed {}", name(job))),
        }
    }
}

fn name(job: &Job) -> String {
    let others = job.users.len() - 1;
    let more = if others > 0 { format!(" and {others} more") } else { String::new() };
    format!("{}{more} ({})", printable(&job.resource), job.builder_name())
}
