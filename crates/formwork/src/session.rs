//! Files and options over time: what a program holds on to.
//!
//! A file is a value ([`formwork_syntax::Source`]), parsed once for each content, whoever uses it. A run has its own
//! tree and its own position space, and copies the nodes of its sources in. Memory is bounded by the sources and by
//! what somebody still uses: a session holds results weakly.
//!
//! A run is a function of a snapshot. A [`Session`] has a current revision; [`Session::snapshot`] takes it, costs
//! nothing and never changes; [`Session::apply`] makes the next one, in which what did not change is neither read nor
//! parsed again, and cancels runs of those before it where the caller takes an error
//! (`Snapshot::compile_unless_outdated`). A compilation is known by path, goal, options and revision (`revision`), and
//! stays known over changes of files that it does not depend on: `Dependencies` has the files that it read and those
//! that were missing.
//!
//! [`Session`], [`Snapshot`], `Compilation` and [`Host`] are `Send + Sync` (`tests/shared.rs` asserts it);
//! `tests/src/properties/shared.rs` of the workspace compares threads that edit and compile with fresh sessions.
//!
//! `Session::analyze` begins an `Analysis`, which is compiled for each `Goal` at most once, when it is first asked for:
//! check and package of a deployment are two goals of one analysis. A `Compilation` is plain data and never changes,
//! and has an `Output` that may be written only without errors; what an answer has to write (`explain`, packaging) goes
//! to a copy of the tree. What is found out later, of paths, uploads or nested templates, is added to a `Report`, which
//! only grows. Nested templates are analyses of the same session with a `Parent` (`nested`).

use std::sync::{Arc, Mutex};

use formwork_base::{FileBytes, Host, ReadError, VirtualPath, lock};
use formwork_syntax::{FileCache, Sources};

use crate::nested::clean::CleanUses;
use crate::options::Options;
use crate::revision::{Change, Revision};
use crate::shared::Shared;
use crate::snapshot::Snapshot;

/// Templates of a host, and everything that was read and parsed of them: each file once, whoever names it and
/// however often the templates are analyzed. A clone is the same session. Any thread may use it: what it looks at is a
/// [`Snapshot`], which never changes, and a change makes the next one.
#[derive(Clone)]
pub struct Session<'h> {
    shared: Arc<Shared<'h>>,
    current: Arc<Mutex<Arc<Revision>>>,
    options: Arc<Options>,
    clean: Option<Arc<CleanUses>>,
    /// The number of the template in the run that shares them.
    order: usize,
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("analyses", &self.analyses()).finish_non_exhaustive()
    }
}

impl<'h> Session<'h> {
    /// A session that reads through `host`.
    pub fn new(host: impl Host + 'h, options: Options) -> Session<'h> {
        Session::sharing(Arc::default(), host, options)
    }

    /// The same; content that other sessions of these sources have parsed is not parsed again.
    pub fn sharing(sources: Arc<Sources>, host: impl Host + 'h, options: Options) -> Session<'h> {
        let revision = Arc::new(Revision::first(FileCache::new(sources)));
        Session {
            shared: Arc::new(Shared::new(Box::new(host))),
            current: Arc::new(Mutex::new(revision)),
            options: Arc::new(options),
            clean: None,
            order: 0,
        }
    }

    /// The same session, which knows of the nested templates that other sessions looked at, and does not look at those
    /// again in which nothing was found, or what the reports of a template in front of this one have
    /// ([`Session::in_order`]): of those there is neither a report nor a compilation. Their files do not change in the
    /// meantime.
    #[must_use]
    pub fn with_clean_uses(&self, clean: Arc<CleanUses>) -> Session<'h> {
        Session { clean: Some(clean), ..self.clone() }
    }

    /// The same session for the template with this number, counted from zero, of a run whose reports are joined in the
    /// order of the numbers, each statement once.
    #[must_use]
    pub fn in_order(&self, order: usize) -> Session<'h> {
        Session { order, ..self.clone() }
    }

    pub(crate) fn order(&self) -> usize {
        self.order
    }

    pub(crate) fn clean_uses(&self) -> Option<&CleanUses> {
        self.clean.as_deref()
    }

    /// The same session with other options: its files are shared.
    #[must_use]
    pub fn with_options(&self, options: impl Into<Arc<Options>>) -> Session<'h> {
        Session { options: options.into(), ..self.clone() }
    }

    /// What templates are compiled with.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Where it reads.
    pub fn host(&self) -> &(dyn Host + 'h) {
        &*self.shared.host
    }

    /// The files as they are now, with the options of this session.
    pub fn snapshot(&self) -> Snapshot<'h> {
        let revision = Arc::clone(&lock(&self.current));
        Snapshot::new(Arc::clone(&self.shared), revision, Arc::clone(&self.options))
    }

    /// Makes the next revision: files that did not change are neither read nor parsed again, and a compilation stays
    /// known when nothing changed that it depends on. Runs of snapshots that were taken before are cancelled, where
    /// their caller gets an error.
    pub fn apply(&self, changes: impl IntoIterator<Item = Change>) {
        let changes: Vec<Change> = changes.into_iter().collect();
        for change in &changes {
            if let Change::Reload(path) = change {
                self.shared.indexes.forget(path);
            }
        }
        let mut current = lock(&self.current);
        let next = Arc::new(current.after(changes));
        std::mem::replace(&mut *current, next).cancel();
    }

    /// Replaces the content of one file: [`Change::Set`].
    pub fn set_file(&self, path: &VirtualPath, bytes: impl Into<FileBytes>) {
        self.apply([Change::Set(path.clone(), bytes.into())]);
    }

    /// Reads one file of the host again: [`Change::Reload`].
    pub fn reload_file(&self, path: &VirtualPath) {
        self.apply([Change::Reload(path.clone())]);
    }

    /// The content of a file.
    ///
    /// # Errors
    /// Those of the host.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.snapshot().read(path)
    }

    /// How many analyses were compiled for any goal, those of nested templates included.
    pub fn analyses(&self) -> usize {
        self.shared.analyses()
    }

    /// How often the host was asked for a file.
    pub fn reads(&self) -> usize {
        self.snapshot().files().reads()
    }

    /// How often the text of a file was parsed.
    pub fn parses(&self) -> usize {
        self.snapshot().files().parses()
    }
}
