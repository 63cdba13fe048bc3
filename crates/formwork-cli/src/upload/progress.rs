//! What people are told of uploads.

use std::collections::HashMap;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use formwork_report::printable;
use formwork_upload::{Mention, Prepared, Progress as Event};

use crate::args::{ReportArgs, UploadArgs};
use crate::terminal::say_line;

/// Most resources that are named behind an object.
const NAMED: usize = 3;

/// A line for each object, when someone is watching.
pub(crate) struct Progress {
    shows: bool,
    is_verbose: bool,
    is_quiet: bool,
    is_told: AtomicBool,
    done: AtomicUsize,
    there: AtomicUsize,
    all: usize,
    /// What names each object, by its key.
    mentions: HashMap<String, String>,
}

impl Progress {
    /// Of the objects of a package.
    pub(crate) fn new(prepared: &Prepared, upload: &UploadArgs, report: &ReportArgs) -> Progress {
        let named = prepared.objects.iter().map(|object| (object.key.clone(), words(&object.mentions)));
        Progress {
            shows: std::io::stderr().is_terminal() && !upload.no_progressbar && !report.quiet,
            is_verbose: report.verbose,
            is_quiet: report.quiet,
            is_told: AtomicBool::new(false),
            done: AtomicUsize::new(0),
            there: AtomicUsize::new(0),
            all: prepared.uploads(),
            mentions: named.collect(),
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
                    say_line(&format!("{percent:3} % uploaded {} ({bytes} bytes){}", printable(key), self.named(key)));
                }
            }
            Event::There(key) => {
                let percent = self.percent();
                self.there.fetch_add(1, Ordering::Relaxed);
                if self.is_verbose {
                    say_line(&format!("{percent:3} % {} is there already{}", printable(key), self.named(key)));
                }
            }
        }
    }

    /// Tells how many objects were not uploaded because they are there.
    pub(crate) fn finish(&self) {
        let there = self.there.load(Ordering::Relaxed);
        if there > 0 && (self.shows || self.is_verbose) {
            say_line(&format!("{there} of {} objects were in the bucket already", self.all));
        }
    }

    fn named(&self, key: &str) -> &str {
        self.mentions.get(key).map_or("", String::as_str)
    }

    fn percent(&self) -> usize {
        (self.done.fetch_add(1, Ordering::Relaxed) + 1) * 100 / self.all.max(1)
    }
}

/// The path and the resources that name it: `: src of Api, Worker and 2 more`.
fn words(mentions: &[Mention]) -> String {
    let Some(first) = mentions.first() else { return String::new() };
    let mut resources: Vec<&str> = mentions.iter().map(|mention| mention.resource.as_str()).collect();
    resources.dedup();
    let more = resources.len().saturating_sub(NAMED);
    resources.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!(": {} of {}{more}", printable(&first.path), printable(&resources.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_named_by_its_path_and_resources() {
        let mention = |resource: &str| Mention { path: "src".to_owned(), resource: resource.to_owned() };
        assert_eq!(words(&[]), "");
        assert_eq!(words(&[mention("A"), mention("A")]), ": src of A");
        let many: Vec<Mention> = ["A", "B", "C", "D", "E"].into_iter().map(mention).collect();
        assert_eq!(words(&many), ": src of A, B, C and 2 more");
    }
}
