//! A template at one moment.

use std::sync::{Arc, OnceLock};

use formwork::nested::PathErrors;
use formwork::query::{Expansion, FileIndex, Project};
use formwork::{
    Cancelled, Compilation, Dependencies, Goal, Options, Report, Serverless, Session, Snapshot, SourceText, Values,
    VirtualPath,
};

use crate::problem::Problem;
use crate::view::{Stage, View};

/// A template of a session with the files at one moment, which answers queries. The session may have changed since.
#[derive(Debug)]
pub struct Ide<'h> {
    session: Session<'h>,
    snapshot: Snapshot<'h>,
    root: VirtualPath,
    compilation: Arc<Compilation>,
    /// The text of the template; `None` when it cannot be read.
    text: Option<Arc<SourceText>>,
    project: OnceLock<Project>,
    /// The last expansion without errors, of this or an earlier moment.
    sound: OnceLock<Arc<Expansion>>,
    reports: OnceLock<Vec<Report>>,
    problems: OnceLock<Arc<Vec<Problem>>>,
    expanded: OnceLock<Result<Arc<Compilation>, Cancelled>>,
    resolved: OnceLock<Result<Arc<Compilation>, Cancelled>>,
    views: [OnceLock<Result<Arc<View>, Cancelled>>; 3],
    /// The last output of each stage without errors, of earlier moments.
    texts: [Option<String>; 3],
}

impl<'h> Ide<'h> {
    /// Compiles the template at `root` as `check` does, with the options of the session. `before` is the same template
    /// at an earlier moment: while the template has errors, the generated names are those of that moment.
    ///
    /// # Errors
    /// [`Cancelled`] when the session changed meanwhile.
    pub fn new(session: &Session<'h>, root: &VirtualPath, before: Option<&Ide<'h>>) -> Result<Ide<'h>, Cancelled> {
        let snapshot = session.snapshot();
        let compilation = snapshot.compile_unless_outdated(root, Goal::Check)?;
        // An unchanged compilation keeps its derived data.
        let same = before.filter(|before| Arc::ptr_eq(&before.compilation, &compilation));
        let sound = match before {
            Some(before) if compilation.has_errors() => OnceLock::from(Arc::clone(before.sound())),
            _ => same.and_then(|same| same.sound.get().cloned()).map_or_else(OnceLock::new, OnceLock::from),
        };
        let reports = same.and_then(|same| same.reports.get()).filter(|reports| reports.len() == 1).cloned();
        let problems = same.and_then(|same| same.problems.get()).filter(|_| reports.is_some()).cloned();
        let texts = before.map_or_else(Default::default, |before| Stage::ALL.map(|stage| before.last_text(stage)));
        let largest = snapshot.options().limits.file_bytes;
        let text = snapshot.source(root).ok().map(|source| Arc::clone(source.text()));
        let text = text.filter(|text| text.text().len() as u64 <= largest);
        Ok(Ide {
            session: session.clone(),
            snapshot,
            root: root.clone(),
            compilation,
            text,
            project: OnceLock::new(),
            sound,
            reports: reports.map_or_else(OnceLock::new, OnceLock::from),
            problems: problems.map_or_else(OnceLock::new, OnceLock::from),
            expanded: OnceLock::new(),
            resolved: OnceLock::new(),
            views: Default::default(),
            texts,
        })
    }

    /// Returns the path of the template.
    pub fn root(&self) -> &VirtualPath {
        &self.root
    }

    /// Returns the files of the moment.
    pub fn snapshot(&self) -> &Snapshot<'h> {
        &self.snapshot
    }

    /// Returns the session of the files.
    pub fn session(&self) -> &Session<'h> {
        &self.session
    }

    /// Returns the compilation of the check.
    pub fn compilation(&self) -> &Arc<Compilation> {
        &self.compilation
    }

    /// Returns the declarations and uses of the template and its modules.
    pub fn project(&self) -> &Project {
        self.project.get_or_init(|| self.snapshot.project(&self.root).with_expansion(Arc::clone(self.sound())))
    }

    /// Returns the text of the template with its lines; `None` when it cannot be read.
    pub fn text(&self) -> Option<&SourceText> {
        self.text.as_deref()
    }

    fn sound(&self) -> &Arc<Expansion> {
        self.sound.get_or_init(|| Arc::new(self.compilation.expansion()))
    }

    /// Returns the items of loops and the generated names.
    pub fn expansion(&self) -> Option<&Expansion> {
        Some(self.sound())
    }

    /// Returns a file of the template.
    pub fn file(&self, path: &VirtualPath) -> Option<&FileIndex> {
        self.project().file(path)
    }

    /// Returns the dependencies of the template, and of its nested templates as far as they were compiled.
    pub fn dependencies(&self) -> Vec<&Dependencies> {
        let nested = self.reports.get().into_iter().flatten().skip(1).map(|report| report.compilation().dependencies());
        std::iter::once(self.compilation.dependencies()).chain(nested).collect()
    }

    /// Returns the reports of `check` about the template and its nested templates.
    pub fn reports(&self) -> &[Report] {
        self.reports.get_or_init(|| {
            let mut root = Report::from(Arc::clone(&self.compilation));
            let nested = self.session.compile_nested(&self.compilation, Goal::Check, PathErrors::Reported);
            root.add(nested.found);
            std::iter::once(root).chain(nested.reports).collect()
        })
    }

    /// The diagnostics as an editor shows them, computed by `find` on first use.
    pub(crate) fn problems(&self, find: impl FnOnce() -> Vec<Problem>) -> &Arc<Vec<Problem>> {
        self.problems.get_or_init(|| Arc::new(find()))
    }

    /// Returns the template as `expand` compiles it.
    ///
    /// # Errors
    /// [`Cancelled`] when the session changed meanwhile.
    pub fn expanded(&self) -> Result<Arc<Compilation>, Cancelled> {
        self.expanded.get_or_init(|| self.compile(Goal::Expand, Values::Keep, Serverless::Kept)).clone()
    }

    /// Returns the template as `resolve` compiles it.
    ///
    /// # Errors
    /// [`Cancelled`] when the session changed meanwhile.
    pub fn resolved(&self) -> Result<Arc<Compilation>, Cancelled> {
        self.resolved.get_or_init(|| self.compile(Goal::Resolve, Values::Resolve, Serverless::Kept)).clone()
    }

    /// Returns the template as `expand --serverless` compiles it.
    ///
    /// # Errors
    /// [`Cancelled`] when the session changed meanwhile.
    pub fn deployed(&self) -> Result<Arc<Compilation>, Cancelled> {
        // Without the transform it is the output of `expand`.
        if !self.compilation.is_serverless() {
            return self.expanded();
        }
        self.compile(Goal::Expand, Values::Keep, Serverless::Output)
    }

    /// The view of a stage, computed by `make` on first use.
    pub(crate) fn view(
        &self,
        stage: Stage,
        make: impl FnOnce() -> Result<View, Cancelled>,
    ) -> Result<Arc<View>, Cancelled> {
        let [expand, resolve, deploy] = &self.views;
        let view = match stage {
            Stage::Expand => expand,
            Stage::Resolve => resolve,
            Stage::Deploy => deploy,
        };
        view.get_or_init(|| make().map(Arc::new)).clone()
    }

    /// Returns the last output of a stage that was viewed and had no errors.
    pub fn last_text(&self, stage: Stage) -> Option<String> {
        let at = stage as usize;
        let own = self.views.get(at)?.get().and_then(|view| view.as_ref().ok()).filter(|view| view.errors == 0);
        own.map(|view| view.text.clone()).or_else(|| self.texts.get(at)?.clone())
    }

    fn compile(&self, goal: Goal, values: Values, serverless: Serverless) -> Result<Arc<Compilation>, Cancelled> {
        let options = Options { serverless, ..self.snapshot.options().for_output(values) };
        self.snapshot.with_options(options).compile_unless_outdated(&self.root, goal)
    }

    /// The text of a byte range of a file; empty when the range is not in it.
    pub(crate) fn text_of(&self, range: &formwork::FileRange) -> &str {
        let text = self.file(&range.file).map_or("", FileIndex::text);
        text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}
