//! One template with the values that it is looked at with.

use std::cell::RefCell;
use std::sync::Arc;

use formwork_base::{Cancellation, Cancelled, FileBytes, Goal, Host, VirtualPath};

use crate::compilation::Compilation;
use crate::options::Options;
use crate::progress::{Progress, Watched};
use crate::run::{Observer, Run};
use crate::session::Session;

/// One template as a session reads it, with its options. It is compiled for each goal at most once, when the
/// goal is first asked for.
#[derive(Debug)]
pub struct Analysis<'h> {
    session: Session<'h>,
    root: VirtualPath,
    compiled: RefCell<Vec<Arc<Compilation>>>,
}

impl<'h> Session<'h> {
    /// Begins to analyze the template at `root`.
    pub fn analyze(&self, root: &VirtualPath) -> Analysis<'h> {
        if self.options().parent.is_none() {
            self.cache().make_room();
        }
        Analysis::new(self.clone(), root.clone())
    }

    /// Compiles the template at `root` for one goal.
    pub fn compile(&self, root: &str, goal: Goal) -> Arc<Compilation> {
        self.analyze(&VirtualPath::new(root)).compile(goal)
    }

    /// Compiles a template whose content is at hand: [`Session::set_file`] and [`Session::compile`] in one.
    pub fn compile_bytes(&self, path: &VirtualPath, bytes: FileBytes, goal: Goal) -> Arc<Compilation> {
        self.set_file(path, bytes);
        self.analyze(path).compile(goal)
    }
}

impl<'h> Analysis<'h> {
    fn new(session: Session<'h>, root: VirtualPath) -> Analysis<'h> {
        Analysis { session, root, compiled: RefCell::default() }
    }

    /// The template.
    pub fn root(&self) -> &VirtualPath {
        &self.root
    }

    /// The session that has its files, with the options of this analysis.
    pub fn session(&self) -> &Session<'h> {
        &self.session
    }

    /// What it is compiled with.
    pub fn options(&self) -> &Options {
        self.session.options()
    }

    /// The same template with other options.
    #[must_use]
    pub fn with_options(&self, options: Options) -> Analysis<'h> {
        self.session.with_options(options).analyze(&self.root)
    }

    /// The Region that the account data in its options is of.
    pub fn region_of_accounts(&self) -> Option<String> {
        let session = &self.session;
        Run::new(session.host(), session.cache(), session.options(), &|_| {}, Goal::Rules).region_of_accounts()
    }

    /// Compiles the template for a goal, unless that was done.
    pub fn compile(&self, goal: Goal) -> Arc<Compilation> {
        self.compile_observed(goal, &|_| {})
    }

    /// The same; `observer` is called for each stage when it begins, for timings.
    pub fn compile_observed(&self, goal: Goal, observer: Observer<'_>) -> Arc<Compilation> {
        let known = self.compiled.borrow().iter().find(|known| known.goal() == goal).cloned();
        known.unwrap_or_else(|| self.keep(self.run(self.session.host(), goal, &Cancellation::never(), observer)))
    }

    /// The same, unless it is cancelled on its way: then nothing is kept but files that were read and parsed.
    /// `progress` is notified of each stage, and of each file that is read.
    ///
    /// # Errors
    /// [`Cancelled`], when it was.
    pub fn compile_unless(
        &self,
        cancellation: &Cancellation,
        goal: Goal,
        progress: &dyn Fn(Progress<'_>),
    ) -> Result<Arc<Compilation>, Cancelled> {
        cancellation.check()?;
        let known = self.compiled.borrow().iter().find(|known| known.goal() == goal).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let host = Watched { host: self.session.host(), progress };
        let compiled = self.run(&host, goal, cancellation, &|stage| progress(Progress::Stage(stage)));
        cancellation.check()?;
        Ok(self.keep(compiled))
    }

    fn run(&self, host: &dyn Host, goal: Goal, cancellation: &Cancellation, observer: Observer<'_>) -> Compilation {
        let (session, path) = (&self.session, &self.root);
        if self.compiled.borrow().is_empty() {
            session.count_analysis();
        }
        let run = Run::new(host, session.cache(), session.options(), observer, goal).cancelled_by(cancellation);
        match session.cache().read(host, path) {
            Ok(bytes) => run.compile(path, bytes),
            Err(error) => run.unreadable(path, &error),
        }
    }

    fn keep(&self, compiled: Compilation) -> Arc<Compilation> {
        let compiled = Arc::new(compiled);
        self.compiled.borrow_mut().push(Arc::clone(&compiled));
        compiled
    }
}
