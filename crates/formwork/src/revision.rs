//! The files of a session between two changes, and what was compiled of them.

use std::sync::{Arc, Mutex};

use formwork_base::{Cancellation, FileBytes, Goal, VirtualPath, lock};
use formwork_syntax::FileCache;

use crate::compilation::Compilation;
use crate::options::Options;
use crate::runs::Runs;

/// What became of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Its content is this, whatever the host reports: the text in an editor, or of standard input.
    Set(VirtualPath, FileBytes),
    /// It is read from the host again when it is next asked for: it changed there, appeared or is gone, or the content
    /// that was set is dropped.
    Reload(VirtualPath),
}

/// The files of a session between two changes.
pub(crate) struct Revision {
    pub(crate) number: u64,
    pub(crate) files: FileCache,
    /// What cancels its runs when the session changes.
    pub(crate) cancellation: Cancellation,
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

    /// What was compiled with equal options and is still in use.
    pub(crate) fn known(&self, root: &VirtualPath, goal: Goal, options: &Arc<Options>) -> Option<Arc<Compilation>> {
        lock(&self.runs).get(root, goal, options)
    }

    /// Remembers a compilation as long as somebody uses it. Of two that were made at the same time, all use the first.
    pub(crate) fn remember(
        &self,
        root: &VirtualPath,
        goal: Goal,
        options: &Arc<Options>,
        compiled: Compilation,
    ) -> Arc<Compilation> {
        lock(&self.runs).add(root, goal, options, compiled)
    }

    /// Nobody waits any more for runs that can be cancelled.
    pub(crate) fn cancel(&self) {
        self.cancellation.cancel();
    }
}
