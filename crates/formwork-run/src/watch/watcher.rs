//! Watches files with the means of the system.

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Config, Event, PollWatcher, RecommendedWatcher, RecursiveMode};

use crate::watch::interest::Interest;
use crate::watch::quiet::Quiet;

/// Interval at which a wait is checked for its end.
const LOOKING: Duration = Duration::from_millis(50);
/// Interval for polling disks that report nothing.
const POLLING: Duration = Duration::from_secs(1);

/// A directory that cannot be watched.
#[derive(Debug, thiserror::Error)]
#[error("{} cannot be watched: {source}", path.display())]
pub struct WatchError {
    /// The directory.
    pub path: PathBuf,
    source: notify::Error,
}

/// Watches files until it is dropped.
pub struct Watcher {
    inner: Box<dyn notify::Watcher>,
    events: Receiver<notify::Result<Event>>,
    interest: Interest,
    watched: BTreeSet<(PathBuf, bool)>,
    is_polling: bool,
}

impl std::fmt::Debug for Watcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Watcher").field("watched", &self.watched).finish_non_exhaustive()
    }
}

impl WatchError {
    /// Creates the error for a system that cannot watch files.
    pub fn system(source: std::io::Error) -> WatchError {
        WatchError { path: PathBuf::from("the disk"), source: notify::Error::io(source) }
    }
}

impl Watcher {
    /// Creates a watcher without paths.
    ///
    /// # Errors
    /// When the system cannot watch files.
    pub fn new() -> Result<Watcher, WatchError> {
        let (sender, events) = mpsc::channel();
        let (inner, is_polling) = match RecommendedWatcher::new_in(sender.clone()) {
            Ok(inner) => (inner, false),
            Err(_) => (polling(sender)?, true),
        };
        Ok(Watcher { inner, events, interest: Interest::default(), watched: BTreeSet::new(), is_polling })
    }

    /// Watches `interest` from now on; returns `true` when that has new paths, whose changes may have been missed.
    /// Earlier changes of watched paths are still reported.
    ///
    /// # Errors
    /// When a directory cannot be watched. A missing one is skipped.
    pub fn watch(&mut self, interest: Interest) -> Result<bool, WatchError> {
        let wanted: BTreeSet<(PathBuf, bool)> = interest.watched().into_iter().collect();
        let is_other = self.interest.misses(&interest);
        self.interest = interest;
        for (path, _) in self.watched.difference(&wanted) {
            let _ = self.inner.unwatch(path);
        }
        let new: Vec<_> = wanted.difference(&self.watched).cloned().collect();
        self.watched.retain(|known| wanted.contains(known));
        let mut is_more = is_other;
        for (path, is_deep) in new {
            if !path.is_dir() {
                continue;
            }
            is_more = true;
            match self.inner.watch(&path, mode(is_deep)) {
                Ok(()) => {}
                // Systems limit the number of watched directories.
                Err(_) if !self.is_polling => return self.poll(&wanted).map(|()| true),
                Err(source) => return Err(WatchError { path, source }),
            }
            self.watched.insert((path, is_deep));
        }
        Ok(is_more)
    }

    /// Polls the files from now on.
    fn poll(&mut self, wanted: &BTreeSet<(PathBuf, bool)>) -> Result<(), WatchError> {
        let (sender, events) = mpsc::channel();
        self.inner = polling(sender)?;
        (self.events, self.is_polling) = (events, true);
        self.watched.clear();
        for (path, is_deep) in wanted.iter().filter(|(path, _)| path.is_dir()) {
            let watched = self.inner.watch(path, mode(*is_deep));
            watched.map_err(|source| WatchError { path: path.clone(), source })?;
            self.watched.insert((path.clone(), *is_deep));
        }
        Ok(())
    }

    /// Waits for a change and then for [`Quiet::PAUSE`] without one, and returns the changed paths; `None` when
    /// `is_over` returns true.
    pub fn wait(&mut self, is_over: &dyn Fn() -> bool) -> Option<BTreeSet<PathBuf>> {
        let mut quiet = Quiet::default();
        loop {
            if is_over() {
                return None;
            }
            let now = Instant::now();
            if let Some(changed) = quiet.take(now) {
                return Some(changed);
            }
            let pause = quiet.left(now).map_or(LOOKING, |left| left.min(LOOKING));
            match self.events.recv_timeout(pause) {
                Ok(Ok(event)) => self.sort(&event, &mut quiet),
                // A file that cannot be read is checked at its next event.
                Ok(Err(_)) | Err(RecvTimeoutError::Timeout) => {}
                // The sender was dropped: no further event will come.
                Err(RecvTimeoutError::Disconnected) => std::thread::sleep(LOOKING),
            }
        }
    }

    fn sort(&mut self, event: &Event, quiet: &mut Quiet) {
        if matches!(event.kind, EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_))) {
            // Another directory with the same name is not watched yet.
            self.watched.retain(|(path, _)| !event.paths.contains(path));
        }
        if event.need_rescan() {
            // The system lost events: anything may have changed.
            for (path, _) in &self.watched {
                quiet.add(path.clone(), Instant::now());
            }
        }
        if changes(event.kind) {
            for path in event.paths.iter().filter(|path| self.interest.wakes(path)) {
                quiet.add(path.clone(), Instant::now());
            }
        }
    }
}

/// Returns `true` if an event is a change; reading a file is not one.
fn changes(kind: EventKind) -> bool {
    match kind {
        EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
        _ => true,
    }
}

fn mode(is_deep: bool) -> RecursiveMode {
    if is_deep { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive }
}

trait Boxed: notify::Watcher + Sized + 'static {
    fn new_in(sender: Sender<notify::Result<Event>>) -> notify::Result<Box<dyn notify::Watcher>> {
        // A link below a source leads to a part of it, or out of the project.
        let config = Config::default().with_poll_interval(POLLING).with_follow_symlinks(false);
        Ok(Box::new(Self::new(sender, config)?))
    }
}

impl Boxed for RecommendedWatcher {}
impl Boxed for PollWatcher {}

fn polling(sender: Sender<notify::Result<Event>>) -> Result<Box<dyn notify::Watcher>, WatchError> {
    PollWatcher::new_in(sender).map_err(|source| WatchError { path: PathBuf::from("the disk"), source })
}
