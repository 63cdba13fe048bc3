//! The analysis of one template with its options.

use std::sync::{Arc, Mutex};

use formwork_base::{Cancellation, Cancelled, FileBytes, Goal, Host, VirtualPath, lock};

use crate::compilation::Compilation;
use crate::options::Options;
use crate::progress::{Progress, Watched};
use crate::run::{Observer, Run};
use crate::session::Session;
use crate::snapshot::Snapshot;

/// A template of a snapshot with its options. It is compiled for each goal at most once, when the goal is first
/// requested.
#[derive(Debug)]
pub struct Analysis<'h> {
    session: Session<'h>,
    snapshot: Snapshot<'h>,
    root: VirtualPath,
    /// Keeps the compilations alive as long as the analysis.
    compiled: Mutex<Vec<Arc<Compilation>>>,
}

impl<'h> Session<'h> {
    /// Begins the analysis of the template at `root`, with the current files.
    pub fn analyze(&self, root: &VirtualPath) -> Analysis<'h> {
        Analysis { session: self.clone(), snapshot: self.snapshot(), root: root.clone(), compiled: Mutex::default() }
    }

    /// Compiles the template at `root` for one goal.
    pub fn compile(&self, root: &str, goal: Goal) -> Arc<Compilation> {
        self.snapshot().compile(&VirtualPath::new(root), goal)
    }

    /// Compiles a template whose content is in memory: [`Session::set_file`] and [`Session::compile`] in one call.
    pub fn compile_bytes(&self, path: &VirtualPath, bytes: FileBytes, goal: Goal) -> Arc<Compilation> {
        self.set_file(path, bytes);
        self.snapshot().compile(path, goal)
    }
}

impl Snapshot<'_> {
    /// Compiles the template at `root` for a goal, unless the result is known and in use.
    pub fn compile(&self, root: &VirtualPath, goal: Goal) -> Arc<Compilation> {
        self.known(root, goal).unwrap_or_else(|| {
            self.shared().count_analysis();
            self.remember(root, goal, self.run(self.host(), root, goal, &Cancellation::never(), &|_| {}))
        })
    }

    /// Compiles the template at `root` for a goal unless the session gets a later snapshot in the meantime. When
    /// cancelled, only files that were read and parsed are kept.
    ///
    /// # Errors
    /// [`Cancelled`] when the session has a later snapshot.
    pub fn compile_unless_outdated(&self, root: &VirtualPath, goal: Goal) -> Result<Arc<Compilation>, Cancelled> {
        self.compile_unless(root, goal, self.cancellation())
    }

    /// Compiles the template at `root` for a goal unless the caller cancels it in the meantime.
    ///
    /// # Errors
    /// [`Cancelled`] when it was cancelled.
    pub fn compile_unless(
        &self,
        root: &VirtualPath,
        goal: Goal,
        cancellation: &Cancellation,
    ) -> Result<Arc<Compilation>, Cancelled> {
        cancellation.check()?;
        if let Some(known) = self.known(root, goal) {
            return Ok(known);
        }
        self.shared().count_analysis();
        let compiled = self.run(self.host(), root, goal, cancellation, &|_| {});
        cancellation.check()?;
        Ok(self.remember(root, goal, compiled))
    }

    fn run(
        &self,
        host: &dyn Host,
        root: &VirtualPath,
        goal: Goal,
        cancellation: &Cancellation,
        observer: Observer<'_>,
    ) -> Compilation {
        Run::new(host, self.files(), self.options(), observer, goal).cancelled_by(cancellation).compile(root)
    }
}

impl<'h> Analysis<'h> {
    /// Returns the path of the template.
    pub fn root(&self) -> &VirtualPath {
        &self.root
    }

    /// Returns the session with the files and the options of this analysis.
    pub fn session(&self) -> &Session<'h> {
        &self.session
    }

    /// Returns the options.
    pub fn options(&self) -> &Options {
        self.snapshot.options()
    }

    /// Returns the analysis of the same template with other options.
    #[must_use]
    pub fn with_options(&self, options: Options) -> Analysis<'h> {
        let options = Arc::new(options);
        Analysis {
            session: self.session.with_options(Arc::clone(&options)),
            snapshot: self.snapshot.with_options(options),
            root: self.root.clone(),
            compiled: Mutex::default(),
        }
    }

    /// Returns the Region of the account data in the options.
    pub fn region_of_accounts(&self) -> Option<String> {
        let snapshot = &self.snapshot;
        Run::new(snapshot.host(), snapshot.files(), snapshot.options(), &|_| {}, Goal::Rules).region_of_accounts()
    }

    /// Compiles the template for a goal, unless that was done.
    pub fn compile(&self, goal: Goal) -> Arc<Compilation> {
        self.compile_observed(goal, &|_| {})
    }

    /// Compiles the template for a goal; `observer` is called at the beginning of each stage, for timings.
    pub fn compile_observed(&self, goal: Goal, observer: Observer<'_>) -> Arc<Compilation> {
        self.known(goal).unwrap_or_else(|| {
            let compiled = self.run(self.snapshot.host(), goal, &Cancellation::never(), observer);
            self.keep(goal, compiled)
        })
    }

    /// Compiles the template for a goal unless it is cancelled in the meantime; when cancelled, only files that were
    /// read and parsed are kept. `progress` is notified of each stage, and of each file that is read.
    ///
    /// # Errors
    /// [`Cancelled`] when it was cancelled.
    pub fn compile_unless(
        &self,
        cancellation: &Cancellation,
        goal: Goal,
        progress: &(dyn Fn(Progress<'_>) + Sync),
    ) -> Result<Arc<Compilation>, Cancelled> {
        cancellation.check()?;
        if let Some(known) = self.known(goal) {
            return Ok(known);
        }
        let host = Watched { host: self.snapshot.host(), progress };
        let compiled = self.run(&host, goal, cancellation, &|stage| progress(Progress::Stage(stage)));
        cancellation.check()?;
        Ok(self.keep(goal, compiled))
    }

    fn known(&self, goal: Goal) -> Option<Arc<Compilation>> {
        let own = lock(&self.compiled).iter().find(|known| known.goal() == goal).cloned();
        own.or_else(|| {
            let known = self.snapshot.known(&self.root, goal)?;
            lock(&self.compiled).push(Arc::clone(&known));
            Some(known)
        })
    }

    fn run(&self, host: &dyn Host, goal: Goal, cancellation: &Cancellation, observer: Observer<'_>) -> Compilation {
        if lock(&self.compiled).is_empty() {
            self.snapshot.shared().count_analysis();
        }
        self.snapshot.run(host, &self.root, goal, cancellation, observer)
    }

    fn keep(&self, goal: Goal, compiled: Compilation) -> Arc<Compilation> {
        let compiled = self.snapshot.remember(&self.root, goal, compiled);
        lock(&self.compiled).push(Arc::clone(&compiled));
        compiled
    }
}
