//! What people are told of uploads.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use formwork_report::printable;
use formwork_upload::Progress as Event;

use crate::args::{ReportArgs, UploadArgs};
use crate::terminal::say_line;

/// A line for each object, when someone is watching.
pub(crate) struct Progress {
    shows: bool,
    is_verbose: bool,
    is_quiet: bool,
    is_told: AtomicBool,
    done: AtomicUsize,
    all: usize,
}

impl Progress {
    /// Of so many objects.
    pub(crate) fn new(all: usize, upload: &UploadArgs, report: &ReportArgs) -> Progress {
        Progress {
            shows: std::io::stderr().is_terminal() && !upload.no_progressbar && !report.quiet,
            is_verbose: report.verbose,
            is_quiet: report.quiet,
            is_told: AtomicBool::new(false),
            done: AtomicUsize::new(0),
            all,
        }
    }

    /// Tells what became of an object.
    pub(crate) fn tell(&self, event: Event<'_>) {
        match event {
            // One reason holds for the bucket as a whole.
            Event::Hidden(_, why) => {
                if !self.is_quiet && !self.is_told.swap(true, Ordering::Relaxed) {
                    say_line(&format!("warning: {why}; objects are uploaded whether or not they are there"));
                }
            }
            Event::Uploaded(key, bytes) => {
                let percent = self.percent();
                if self.shows || self.is_verbose {
                    say_line(&format!("{percent:3} % uploaded {} ({bytes} bytes)", printable(key)));
                }
            }
            Event::There(key) => {
                let percent = self.percent();
                if self.is_verbose {
                    say_line(&format!("{percent:3} % {} is there already", printable(key)));
                }
            }
        }
    }

    fn percent(&self) -> usize {
        (self.done.fetch_add(1, Ordering::Relaxed) + 1) * 100 / self.all.max(1)
    }
}
