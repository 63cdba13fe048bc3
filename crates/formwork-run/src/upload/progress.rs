//! Messages about uploads.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use formwork_report::printable;
use formwork_upload::{Mention, Prepared, Progress as Event};

use crate::terminal::say_line;
use crate::working::Working;

/// Maximum number of resources that a message lists for an object.
const NAMED: usize = 3;

/// An object or image of a run that was uploaded or existed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Delivered {
    /// The key of an object, or the name of an image.
    pub name: String,
    /// The places in templates that refer to it.
    pub mentions: Vec<Mention>,
    /// Number of bytes that were sent; `None` when it existed already.
    pub sent: Option<u64>,
}

/// The style of upload reports.
#[derive(Clone, Copy, Debug)]
pub struct ProgressStyle {
    /// Set when progress is shown, on a terminal.
    pub shows: bool,
    /// Set when additional lines are printed.
    pub is_verbose: bool,
    /// Set when only errors are printed.
    pub is_quiet: bool,
}

/// Shows the progress of uploads; prints a line for each object with `--verbose`.
pub(crate) struct Progress {
    style: ProgressStyle,
    is_reported: AtomicBool,
    working: Working,
    all: usize,
    /// The places in templates that refer to an object or image, by its key or name.
    mentions: HashMap<String, Vec<Mention>>,
    delivered: Mutex<Vec<Delivered>>,
}

impl Progress {
    pub(crate) fn new(prepared: &Prepared, style: ProgressStyle) -> Progress {
        let images = prepared.image_mentions().into_iter().map(|(name, mentions)| (name.to_owned(), mentions));
        let named = prepared.objects.iter().map(|object| (object.key.clone(), object.mentions.clone())).chain(images);
        Progress {
            style,
            is_reported: AtomicBool::new(false),
            working: Working::begin("uploading {} files", prepared.uploads(), style.shows && !style.is_verbose),
            all: prepared.uploads(),
            mentions: named.collect(),
            delivered: Mutex::default(),
        }
    }

    pub(crate) fn report(&self, event: Event<'_>) {
        match event {
            // One reason holds for the bucket as a whole.
            Event::Hidden(_, why) => {
                if !self.style.is_quiet && !self.is_reported.swap(true, Ordering::Relaxed) {
                    say_line(&format!("warning: {why}; objects are uploaded whether or not they are there"));
                }
            }
            Event::Uploaded(key, bytes) => {
                let percent = self.note(key, Some(bytes));
                self.working.step(&self.title(key));
                if self.style.is_verbose {
                    say_line(&format!("{percent:3} % uploaded {} ({bytes} bytes)", self.named(key)));
                }
            }
            Event::There(key) => {
                let percent = self.note(key, None);
                self.working.step(&self.title(key));
                if self.style.is_verbose {
                    say_line(&format!("{percent:3} % {} is there already", self.named(key)));
                }
            }
        }
    }

    pub(crate) fn finish(&self) {
        self.working.name("");
        let there = self.delivered().iter().filter(|one| one.sent.is_none()).count();
        if there > 0 && (self.style.shows || self.style.is_verbose) {
            let verb = if there == 1 { "was" } else { "were" };
            say_line(&format!("{there} of {} files {verb} in the bucket already", self.all));
        }
    }

    /// Prints what an interrupted run has uploaded.
    #[cfg(feature = "aws")]
    pub(crate) fn say_left(&self) {
        let done = self.delivered().len();
        let verb = if done == 1 { "is" } else { "are" };
        if done > 0 && !self.style.is_quiet {
            say_line(&format!("{done} of {} files {verb} uploaded, and {verb} not uploaded again", self.all));
        }
    }

    /// Returns the objects and images so far, in the order of their names.
    pub(crate) fn into_delivered(self) -> Vec<Delivered> {
        let mut delivered = std::mem::take(&mut *self.delivered());
        delivered.sort_by(|one, other| one.name.cmp(&other.name));
        delivered
    }

    fn delivered(&self) -> MutexGuard<'_, Vec<Delivered>> {
        self.delivered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the path and the resources of an object, and then its key, which is a hash.
    fn named(&self, key: &str) -> String {
        match self.title(key) {
            title if title.is_empty() => printable(key).into_owned(),
            title => format!("{title}: {}", printable(key)),
        }
    }

    fn title(&self, key: &str) -> String {
        self.mentions.get(key).map(|mentions| words(mentions)).unwrap_or_default()
    }

    /// Records the result of an object or image; returns the percentage that is done.
    fn note(&self, name: &str, sent: Option<u64>) -> usize {
        let mentions = self.mentions.get(name).cloned().unwrap_or_default();
        let mut delivered = self.delivered();
        delivered.push(Delivered { name: name.to_owned(), mentions, sent });
        delivered.len() * 100 / self.all.max(1)
    }
}

/// Returns the path and the resources of an object: `src of Api, Worker and 2 more`.
fn words(mentions: &[Mention]) -> String {
    let Some(first) = mentions.first() else { return String::new() };
    let mut resources: Vec<&str> = mentions.iter().map(|mention| mention.resource.as_str()).collect();
    resources.dedup();
    let more = resources.len().saturating_sub(NAMED);
    resources.truncate(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{} of {}{more}", printable(&first.path), printable(&resources.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_named_by_its_path_and_resources() {
        let mention = |resource: &str| Mention {
            path: "src".to_owned(),
            resource: resource.to_owned(),
            property: "CodeUri".to_owned(),
        };
        assert_eq!(words(&[]), "");
        assert_eq!(words(&[mention("A"), mention("A")]), "src of A");
        let many: Vec<Mention> = ["A", "B", "C", "D", "E"].into_iter().map(mention).collect();
        assert_eq!(words(&many), "src of A, B, C and 2 more");
    }
}
