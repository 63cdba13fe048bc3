//! The files of a session between two changes, with their compilations.

use std::sync::{Arc, Mutex};

use formwork_base::{Cancellation, FileBytes, Goal, VirtualPath, lock};
use formwork_syntax::FileCache;

use crate::compilation::Compilation;
use crate::options::Options;
use crate::runs::Runs;

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Change {
    /// Sets the content, whatever the host has: the text in an editor, or of standard input.
    Set(VirtualPath, FileBytes),
    /// Reads the file from the host again when it is next requested: it changed, appeared or was deleted there, or the
    /// content that was set is dropped.
    Reload(VirtualPath),
}

pub(crate) struct Revision {
    pub(crate) number: u64,
    pub(crate) files: FileCache,
    pub(crate) cancellation: Cancellation,
    runs: Mutex<Runs>,
}

impl Revision {
    pub(crate) fn first(files: FileCache) -> Revision {
        Revision { number: 0, files, cancellation: Cancellation::new(), runs: Mutex::default() }
    }

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

    /// Returns a compilation with equal options that is still in use.
    pub(crate) fn known(&self, root: &VirtualPath, goal: Goal, options: &Arc<Options>) -> Option<Arc<Compilation>> {
        lock(&self.runs).get(root, goal, options)
    }

    /// Records a compilation as long as it is used. Of two concurrent ones, all users receive the first.
    pub(crate) fn remember(
        &self,
        root: &VirtualPath,
        goal: Goal,
        options: &Arc<Options>,
        compiled: Compilation,
    ) -> Arc<Compilation> {
        lock(&self.runs).add(root, goal, options, compiled)
    }

    /// Cancels the runs that can be cancelled, since their results are outdated.
    pub(crate) fn cancel(&self) {
        self.cancellation.cancel();
    }
}
