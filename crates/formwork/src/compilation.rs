//! The result of a run.

use std::sync::Arc;

use formwork_base::{
    Cancellation, Cancelled, Diagnostic, Diagnostics, FileBytes, Frame, Goal, Selection, SourceMap, Span, VirtualPath,
};
use formwork_evaluate::{AccountData, Argument, Evaluator, ParameterTable, Settings};
use formwork_expand::loops::LoopRun;
use formwork_expand::modules::Linked;
use formwork_provenance::{Answer, LineAnswers, Roots, Session};
use formwork_rules::rules::solve::{self, Problem, Solution, Table};
use formwork_rules::rules::{self, RuleSet, RulesReport};
use formwork_rules::suppressions::{Suppressed, Suppressions};
use formwork_syntax::write::{self, NoRecord, Sink};
use formwork_syntax::{Dependencies, Document, Encoding, Format, NodeId, Tree};
use formwork_template::{NamePatterns, Section, Template};

use crate::encoder::Encoder;
use crate::parent::Parent;
use crate::stack_arguments::StackArguments;
use crate::written_places::{WrittenPlace, WrittenPlaces};

/// The result of a run: a template, unless there are errors, and everything that is reported.
#[derive(Debug)]
pub struct Compilation {
    pub(crate) tree: Arc<Tree>,
    pub(crate) sources: SourceMap,
    pub(crate) document: Document,
    pub(crate) root: NodeId,
    pub(crate) template: Template,
    pub(crate) encoding: Encoding,
    pub(crate) bytes: FileBytes,
    /// Shared with the reports that have nothing else.
    pub(crate) diagnostics: Arc<Vec<Diagnostic>>,
    pub(crate) has_errors: bool,
    pub(crate) reporting: Reporting,
    pub(crate) left_out: LeftOut,
    /// Who uses it as a nested template.
    pub(crate) parent: Option<Arc<Parent>>,
    pub(crate) secrets: Vec<Span>,
    pub(crate) goal: Goal,
    pub(crate) rules_settings: rules::Settings,
    /// What modules made; none without them.
    pub(crate) linked: Option<Linked>,
    /// None when the text could not be read well enough to be expanded.
    pub(crate) replay: Option<Replayable>,
    pub(crate) stack_arguments: StackArguments,
    pub(crate) pruned: Vec<String>,
    pub(crate) dependencies: Dependencies,
}

/// How diagnostics are reported, those that are found later as well.
#[derive(Debug)]
pub(crate) struct Reporting {
    /// Whether warnings are errors.
    pub(crate) strict: bool,
    /// Which diagnostics are reported.
    pub(crate) selection: Selection,
    /// Whether errors that make the output wrong may be left out.
    pub(crate) leaves_out_errors: bool,
}

/// Diagnostics that are not reported.
#[derive(Debug)]
pub(crate) struct LeftOut {
    pub(crate) suppressions: Suppressions,
    /// What authors chose not to see.
    pub(crate) suppressed: Vec<Suppressed>,
    /// Errors that are not selected.
    pub(crate) ignored: Vec<Diagnostic>,
}

impl LeftOut {
    /// What authors chose not to see.
    pub(crate) fn suppressed(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.suppressed.iter_mut().map(|one| &mut one.diagnostic)
    }
}

/// What it takes to see a part of the template again as it was compiled.
#[derive(Debug)]
pub(crate) struct Replayable {
    pub(crate) parameters: ParameterTable,
    pub(crate) facts: AccountData,
    pub(crate) settings: Settings,
    /// The root with its loops expanded.
    pub(crate) expanded: NodeId,
    pub(crate) loops: Vec<LoopRun>,
    /// Names that loops may generate which were left unchecked.
    pub(crate) unchecked: NamePatterns,
    pub(crate) rules: RulesRun,
    /// Values that were passed, in order.
    pub(crate) arguments: Vec<Argument>,
}

impl Replayable {
    /// An evaluator that knows what the stages knew; `found_again` receives what they have reported already.
    pub(crate) fn evaluator<'e>(
        &'e self,
        tree: &'e mut Tree,
        template: &'e Template,
        found_again: &'e mut Diagnostics,
    ) -> Evaluator<'e> {
        let parameters = self.parameters.clone();
        let mut evaluator = Evaluator::new(tree, template, parameters, &self.facts, self.settings, found_again);
        let conditions = evaluator.tree.get(self.expanded, Section::Conditions.symbol());
        evaluator.set_conditions_quietly(conditions);
        evaluator
    }
}

/// The rules and what became of them.
#[derive(Debug, Default)]
pub(crate) struct RulesRun {
    /// None when they are not well-formed, or were not read.
    pub(crate) set: Option<RuleSet>,
    /// None when they were not evaluated to the end.
    pub(crate) report: Option<RulesReport>,
}

impl Compilation {
    /// Whether there are errors; then there is no [`output`](Compilation::output).
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Whether the text of the template could be read from end to end.
    pub fn is_well_formed(&self) -> bool {
        self.document.is_well_formed
    }

    /// Everything that is reported, by file and position.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What was found and authors chose not to see.
    pub fn suppressed(&self) -> &[Suppressed] {
        &self.left_out.suppressed
    }

    /// Errors that [`Options::selection`](crate::Options::selection) leaves out.
    pub fn ignored(&self) -> &[Diagnostic] {
        &self.left_out.ignored
    }

    /// Declarations that were left out of the output, such as `mapping Sizes`: [`Options::prune`].
    ///
    /// [`Options::prune`]: crate::Options::prune
    pub fn pruned(&self) -> &[String] {
        &self.pruned
    }

    /// What leads to the template, outermost first: the stacks that use it as a nested one.
    pub fn context(&self) -> &[Frame] {
        self.parent.as_ref().map_or(&[], |parent| &parent.frames)
    }

    /// Who uses it as a nested template.
    pub fn parent(&self) -> Option<&Parent> {
        self.parent.as_deref()
    }

    /// The paths of the local modules that the template imports, as reports show them.
    pub fn local_modules(&self) -> impl Iterator<Item = &str> {
        let linked = self.linked.iter();
        let files = linked.flat_map(|linked| {
            let files = linked.documents.iter().filter_map(|(root, _)| self.sources.file_of(self.tree.span(*root)));
            files.filter(|file| *file != self.document.file && !linked.elsewhere.contains(file))
        });
        files.map(|file| self.sources.display(file))
    }

    /// Which files it would have to be made again for: those that it was made of, and those that it looked for. The
    /// template itself is one of the first.
    pub fn dependencies(&self) -> &Dependencies {
        &self.dependencies
    }

    /// Whether a file is one of its dependencies.
    pub(crate) fn depends_on(&self, path: &VirtualPath) -> bool {
        let Dependencies { found, missing, .. } = &self.dependencies;
        [found, missing].iter().any(|those| those.binary_search(path).is_ok())
    }

    /// The files that were read.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Spans of text that no report may show.
    pub fn secrets(&self) -> &[Span] {
        &self.secrets
    }

    /// The format of the template.
    pub fn format(&self) -> Format {
        self.document.format
    }

    /// Loops that were unrolled: name, items of the first run, iterations over all runs.
    pub fn loops(&self) -> impl Iterator<Item = (&str, usize, u64)> {
        self.replay.iter().flat_map(|replay| &replay.loops).map(|run| {
            let key = self.tree.text(run.key);
            (formwork_syntax::function::loop_name(key).unwrap_or(key), run.items, run.iterations)
        })
    }

    /// Whether the template comes out as it went in.
    pub fn is_unchanged(&self) -> bool {
        self.is_as_written(&self.tree, self.root)
    }

    fn is_as_written(&self, tree: &Tree, root: NodeId) -> bool {
        root == self.document.root && !tree.has(root, formwork_syntax::flags::EDITED)
    }

    /// Writes a template that was made of this one, in a tree that begins with its own.
    pub(crate) fn write_root(&self, tree: &Tree, root: NodeId, format: Option<Format>, sink: Sink<'_>) {
        let format = format.unwrap_or(self.document.format);
        write::write(tree, root, &self.document, &self.sources, format, sink, &mut NoRecord);
    }

    /// The same as bytes.
    pub(crate) fn write_root_bytes(
        &self,
        tree: &Tree,
        root: NodeId,
        format: Option<Format>,
        sink: &mut dyn FnMut(&[u8]),
    ) {
        let same_format = format.is_none_or(|format| format == self.document.format);
        if same_format && self.is_as_written(tree, root) {
            return sink(&self.bytes);
        }
        let format = format.unwrap_or(self.document.format);
        let mut encoder = Encoder::new(self.encoding_in(format), sink);
        self.write_root(tree, root, Some(format), &mut |text| encoder.push(text));
        encoder.finish();
    }

    /// The same as bytes, and where each place of them comes from.
    pub(crate) fn write_root_recorded(
        &self,
        tree: &Tree,
        root: NodeId,
        format: Option<Format>,
        sink: &mut dyn FnMut(&[u8]),
    ) -> Vec<WrittenPlace> {
        let format = format.unwrap_or(self.document.format);
        let mut places = WrittenPlaces::new(tree);
        let mut encoder = Encoder::new(self.encoding_in(format), &mut *sink);
        // The bytes of a template that is as it was written are those of its file.
        let is_as_written = format == self.document.format && self.is_as_written(tree, root);
        let mut push = |text: &str| {
            if !is_as_written {
                encoder.push(text);
            }
        };
        write::write(tree, root, &self.document, &self.sources, format, &mut push, &mut places);
        encoder.finish();
        if is_as_written {
            sink(&self.bytes);
        }
        places.into_vec()
    }

    /// The encoding of an output: that of the template in its own format.
    pub(crate) fn encoding_in(&self, format: Format) -> Encoding {
        if format == self.document.format { self.encoding } else { Encoding::Utf8 }
    }

    /// Where what `path` names in the output comes from (reference/provenance.md#explain). The path is
    /// dotted, a JSON pointer or a logical ID.
    ///
    /// # Errors
    /// When nothing matches: the nearest paths that there are, at most five.
    pub fn explain(&self, path: &str) -> Result<Answer, Vec<String>> {
        self.in_session(|session, secrets| session.explain(path, secrets)).unwrap_or_else(|| Err(Vec::new()))
    }

    /// What a line of a file generates in the output, or what is at a column of it; both count from 1. The first 20
    /// nodes are explained, all are counted.
    pub fn explain_line(&self, file: &str, line: u32, column: Option<u32>) -> LineAnswers {
        self.in_session(|session, secrets| session.explain_line(file, line, column, secrets)).unwrap_or_default()
    }

    /// Every origin of the output that does not hold (reference/provenance.md#invariants), in words.
    pub fn verify_origins(&self) -> Vec<String> {
        self.in_session(|session, _| formwork_provenance::verify::verify(session)).unwrap_or_default()
    }

    /// Lets `work` ask about single nodes. What is written to find an answer goes to a copy of the tree; `None` when the text could not be read well enough.
    pub(crate) fn in_session<R>(&self, work: impl FnOnce(&mut Session<'_, '_>, &[Span]) -> R) -> Option<R> {
        self.in_session_of(&self.tree, self.root, work)
    }

    /// The same for a template that was made of this one, in a tree that begins with its own.
    pub(crate) fn in_session_of<R>(
        &self,
        tree: &Tree,
        result: NodeId,
        work: impl FnOnce(&mut Session<'_, '_>, &[Span]) -> R,
    ) -> Option<R> {
        let replay = self.replay.as_ref()?;
        let mut found_again = Diagnostics::new();
        let mut scratch = tree.clone();
        let mut evaluator = replay.evaluator(&mut scratch, &self.template, &mut found_again);
        let roots = Roots { linked: self.template.root, expanded: replay.expanded, result };
        let mut session = Session::new(&mut evaluator, &self.sources, roots, self.linked.as_ref());
        Some(work(&mut session, &self.secrets))
    }

    /// The outcome of each rule; `None` when an error kept the rules from being evaluated.
    pub fn rules(&self) -> Option<&RulesReport> {
        self.replay.as_ref()?.rules.report.as_ref()
    }

    /// Looks for values that satisfy and that violate a rule, or each of them
    /// (reference/rules.md#solve). `None` when the rules are not well-formed.
    ///
    /// # Errors
    /// When there is no rule of that name: the names that there are.
    pub fn solve(&self, rule: Option<&str>) -> Option<Result<Solution, Vec<String>>> {
        let never = Cancellation::never();
        self.problem(&never).map(|problem| solve::solve(&problem, rule))
    }

    /// The same, unless it is cancelled on its way.
    ///
    /// # Errors
    /// [`Cancelled`], when it was; inside, those of [`Compilation::solve`].
    pub fn solve_unless(
        &self,
        cancellation: &Cancellation,
        rule: Option<&str>,
    ) -> Result<Option<Result<Solution, Vec<String>>>, Cancelled> {
        cancellation.check()?;
        let found = self.problem(cancellation).map(|problem| solve::solve(&problem, rule));
        cancellation.check()?;
        Ok(found)
    }

    /// The outcomes of a rule, or of all of them, over all values of the parameters that matter.
    /// `None` when the rules are not well-formed.
    ///
    /// # Errors
    /// When there is no rule of that name: the names that there are.
    pub fn tabulate(&self, rule: Option<&str>) -> Option<Result<Table, Vec<String>>> {
        let never = Cancellation::never();
        self.problem(&never).map(|problem| solve::tabulate(&problem, rule))
    }

    fn problem<'p>(&'p self, cancellation: &'p Cancellation) -> Option<Problem<'p>> {
        let replay = self.replay.as_ref()?;
        Some(Problem {
            rules: replay.rules.set.as_ref()?,
            tree: &self.tree,
            template: &self.template,
            table: &replay.parameters,
            facts: &replay.facts,
            settings: self.rules_settings,
            cancellation,
        })
    }

    /// What it was compiled for.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// The nodes of all files that were read, and of all that was made of them.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Path of the template.
    pub fn path(&self) -> &VirtualPath {
        self.sources.path(self.document.file)
    }

    /// The template's file and its root as written.
    pub fn document(&self) -> Document {
        self.document
    }

    /// The root of the result; that of the template as written where errors kept it from being compiled.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// The root with its loops expanded, and nothing evaluated; `None` where errors kept it from being
    /// compiled.
    pub fn expanded_root(&self) -> Option<NodeId> {
        self.replay.as_ref().map(|replay| replay.expanded)
    }

    /// The template as written, by its sections.
    pub fn template(&self) -> &Template {
        &self.template
    }
}
