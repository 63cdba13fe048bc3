//! Files and options over time.
//!
//! A file is a value ([`formwork_syntax::SourceContent`]), parsed once for each content, whoever uses it. A run has its own
//! tree and its own position space, and copies the nodes of its sources. Memory is bounded by the sources and by the
//! results in use: a session holds results weakly.
//!
//! A run is a function of a snapshot. A [`Session`] has a current revision; [`Session::snapshot`] returns it, is cheap
//! and immutable; [`Session::apply`] creates the next one, in which unchanged files are neither read nor parsed again,
//! and cancels runs of earlier ones if the caller handles the error (`Snapshot::compile_unless_outdated`). A
//! compilation is known by path, goal, options and revision (`revision`), and stays known over changes of files on
//! which it does not depend: `Dependencies` has the files that it read and those that were missing.
//!
//! [`Session`], [`Snapshot`], `Compilation` and [`Host`] are `Send + Sync` (`tests/shared.rs` asserts it);
//! `tests/src/properties/shared.rs` of the workspace compares threads that edit and compile with fresh sessions.
//!
//! `Session::analyze` begins an `Analysis`, which is compiled for each `Goal` at most once, when it is first requested:
//! check and package of a deployment are two goals of one analysis. A `Compilation` is immutable plain data, and has an
//! `Output` that may be written only without errors; queries that write nodes (`explain`, packaging) use a copy of the
//! tree. Later diagnostics, of paths, uploads or nested templates, are added to a `Report`, which only grows. Nested
//! templates are analyses of the same session with a `Parent` (`nested`).

use std::sync::{Arc, Mutex};

use formwork_base::{FileBytes, Host, ReadError, VirtualPath, lock};
use formwork_syntax::{FileCache, Sources};

use crate::nested::clean::CleanUses;
use crate::options::Options;
use crate::revision::{Change, Revision};
use crate::shared::Shared;
use crate::snapshot::Snapshot;

/// Templates of a host with all their read and parsed files: each file once, however many templates use it and however
/// often they are analyzed. A clone is the same session, and any thread may use it: runs use a [`Snapshot`], which is
/// immutable, and a change creates the next one.
#[derive(Clone)]
pub struct Session<'h> {
    shared: Arc<Shared<'h>>,
    current: Arc<Mutex<Arc<Revision>>>,
    options: Arc<Options>,
    clean: Option<Arc<CleanUses>>,
    /// The number of the template in a run over many templates.
    order: usize,
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("analyses", &self.analyses()).finish_non_exhaustive()
    }
}

impl<'h> Session<'h> {
    /// Creates a session that reads through `host`.
    pub fn new(host: impl Host + 'h, options: Options) -> Session<'h> {
        Session::sharing(Arc::default(), host, options)
    }

    /// Creates a session that shares parsed content with other sessions of these sources.
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

    /// Returns the same session, sharing the known nested templates of other sessions. It does not compile nested
    /// templates again that have no diagnostics, or whose diagnostics are in the reports of an earlier template
    /// ([`Session::in_order`]): for these it returns neither a report nor a compilation. Their files must not change in
    /// the meantime.
    #[must_use]
    pub fn with_clean_uses(&self, clean: Arc<CleanUses>) -> Session<'h> {
        Session { clean: Some(clean), ..self.clone() }
    }

    /// Returns the same session for the template with this number, counted from zero, of a run whose reports are joined
    /// in the order of the numbers, each statement once.
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

    /// Returns the same session with other options; its files are shared.
    #[must_use]
    pub fn with_options(&self, options: impl Into<Arc<Options>>) -> Session<'h> {
        Session { options: options.into(), ..self.clone() }
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the host.
    pub fn host(&self) -> &(dyn Host + 'h) {
        &*self.shared.host
    }

    /// Returns the current files with the options of this session.
    pub fn snapshot(&self) -> Snapshot<'h> {
        let revision = Arc::clone(&lock(&self.current));
        Snapshot::new(Arc::clone(&self.shared), revision, Arc::clone(&self.options))
    }

    /// Creates the next revision. Unchanged files are neither read nor parsed again, and a compilation stays known if
    /// none of its dependencies changed. Runs of earlier snapshots are cancelled if their caller handles the error.
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

    /// Returns the content of a file.
    ///
    /// # Errors
    /// Those of the host.
    pub fn read(&self, path: &VirtualPath) -> Result<FileBytes, ReadError> {
        self.snapshot().read(path)
    }

    /// Returns the number of compiled analyses for any goal, including those of nested templates.
    pub fn analyses(&self) -> usize {
        self.shared.analyses()
    }

    /// Returns the number of reads of the host.
    pub fn reads(&self) -> usize {
        self.snapshot().files().reads()
    }

    /// Returns the number of times that a file was parsed.
    pub fn parses(&self) -> usize {
        self.snapshot().files().parses()
    }
}
