//! What people are told of builds.

use std::io::IsTerminal;

use formwork_build::{Event, Job};
use formwork_report::printable;

use crate::args::ReportArgs;
use crate::terminal::say_line;

/// A line for each source that is built, when someone is watching.
pub(super) struct Progress {
    shows: bool,
}

impl Progress {
    pub(super) fn new(report: &ReportArgs) -> Progress {
        Progress { shows: !report.quiet && (report.verbose || std::io::stderr().is_terminal()) }
    }

    /// Tells what happens to a source.
    pub(super) fn tell(&self, event: Event<'_>) {
        if !self.shows {
            return;
        }
        match event {
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
