//! The files of a session at one time, and what was compiled of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use formwork_base::{Cancellation, FileBytes, Goal, Host, ReadError, VirtualPath};
use formwork_syntax::{FileCache, Source};

use crate::compilation::Compilation;
use crate::options::Options;
use crate::session::{Change, Shared};

/// The files of a session as they were when it was taken, with options. It never changes; a clone costs nothing, and
/// threads may share it.
#[derive(Clone)]
pub struct Snapshot<'h> {
    shared: Arc<Shared<'h>>,
    revision: Arc<Revision>,
    options: Arc<Options>,
}

impl std::fmt::Debug for Snapshot<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot").field("revision", &self.revision.number).finish_non_exhaustive()
    }
}

impl<'h> Snapshot<'h> {
    pub(crate) fn new(shared: Arc<Shared<'h>>, revision: Arc<Revision>, options: Arc<Options>) -> Snapshot<'h> {
        Snapshot { shared, revision, options }
    }

    /// The same files with other options.
    #[must_use]
    pub fn with_options(&self, options: impl Into<Arc<Options>>) -> Snapshot<'h> {
        let (shared, revision) = (Arc::clone(&self.shared), Arc::clone(&self.revision));
        Snapshot { shared, revision, options: options.into() }
    }

    /// What templates are compiled with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where it reads.
    pub fn host(&self) -> &(dyn Host + 'h) {
        &*self.shared.host
    }

    /// Which one of its session it is: one more with each change.
    pub fn revision(&self) -> u64 {
        self.revision.number
    }

    /// Whether the session has a later one.
    pub fn is_outdated(&self) -> bool {
        self.revision.cancellation.is_cancelled()
    }

    /// The content of a file.
    ///
    /// # Errors
    /// Those of the host.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.source(path).map(|source| source.bytes().clone())
    }

    /// A file as a value.
    ///
    /// # Errors
    /// Those of the host.
    pub fn source(&self, path: &VirtualPath) -> Result<Arc<Source>, ReadError> {
        self.files().read(self.host(), path)
    }

    pub(crate) fn shared(&self) -> &Shared<'h> {
        &self.shared
    }

    pub(crate) fn files(&self) -> &FileCache {
        &self.revision.files
    }

    /// What cancels the runs of it when the session changes.
    pub(crate) fn cancellation(&self) -> &Cancellation {
        &self.revision.cancellation
    }

    /// What was compiled with equal options and is still in use.
    pub(crate) fn known(&self, root: &VirtualPath, goal: Goal) -> Option<Arc<Compilation>> {
        lock(&self.revision.runs).get(root, goal, &self.options)
    }

    /// Remembers a compilation as long as somebody uses it. Of two that were made at once, all get the first.
    pub(crate) fn remember(&self, root: &VirtualPath, goal: Goal, compiled: Compilation) -> Arc<Compilation> {
        lock(&self.revision.runs).add(root, goal, &self.options, compiled)
    }
}

/// The files of a session between two changes.
pub(crate) struct Revision {
    number: u64,
    files: FileCache,
    cancellation: Cancellation,
    runs: Mutex<Runs>,
}

impl Revision {
    pub(crate) fn first(files: FileCache) -> Revision {
        Revision { number: 0, files, cancellation: Cancellation::new(), runs: Mutex::default() }
    }

    /// The revision after these changes.
    pub(crate) fn after(&self, changes: impl IntoIterator<Item = Change>) -> Revision {
        let mut changed = Vec::new();
        for change in changes {
            match change {
                Change::Set(path, bytes) => changed.push((path, Some(bytes))),
                Change::Reload(path) => changed.push((path, None)),
            }
        }
        let paths: Vec<&VirtualPath> = changed.iter().map(|(path, _)| path).collect();
        let runs = lock(&self.runs).without(&paths);
        Revision {
            number: self.number + 1,
            files: self.files.with(changed),
            cancellation: Cancellation::new(),
            runs: Mutex::new(runs),
        }
    }

    /// Nobody waits any more for runs that can be cancelled.
    pub(crate) fn cancel(&self) {
        self.cancellation.cancel();
    }
}

/// What was compiled, as long as somebody uses it.
#[derive(Default)]
struct Runs {
    by_root: HashMap<VirtualPath, Vec<Known>>,
}

#[derive(Clone)]
struct Known {
    goal: Goal,
    options: Arc<Options>,
    compiled: Weak<Compilation>,
}

impl Known {
    fn is(&self, goal: Goal, options: &Arc<Options>) -> bool {
        self.goal == goal && (Arc::ptr_eq(&self.options, options) || self.options == *options)
    }
}

impl Runs {
    fn get(&self, root: &VirtualPath, goal: Goal, options: &Arc<Options>) -> Option<Arc<Compilation>> {
        let known = self.by_root.get(root)?.iter().find(|known| known.is(goal, options))?;
        known.compiled.upgrade()
    }

    fn add(
        &mut self,
        root: &VirtualPath,
        goal: Goal,
        options: &Arc<Options>,
        compiled: Compilation,
    ) -> Arc<Compilation> {
        if let Some(known) = self.get(root, goal, options) {
            return known;
        }
        let compiled = Arc::new(compiled);
        let those = self.by_root.entry(root.clone()).or_default();
        those.retain(|known| known.compiled.strong_count() > 0);
        those.push(Known { goal, options: Arc::clone(options), compiled: Arc::downgrade(&compiled) });
        compiled
    }

    /// Those that do not depend on any of these files.
    fn without(&self, changed: &[&VirtualPath]) -> Runs {
        let mut left = Runs::default();
        for (root, those) in &self.by_root {
            let stays = |known: &&Known| {
                let compiled = known.compiled.upgrade();
                compiled.is_some_and(|compiled| !changed.iter().any(|path| compiled.depends_on(path)))
            };
            let those: Vec<Known> = those.iter().filter(stays).cloned().collect();
            if !those.is_empty() {
                left.by_root.insert(root.clone(), those);
            }
        }
        left
    }
}

/// What a mutex holds. Nothing is left half done where somebody may panic.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
