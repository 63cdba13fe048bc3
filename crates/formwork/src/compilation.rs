//! The result of a run.

use std::sync::Arc;

use formwork_base::{
    Cancellation, Cancelled, Diagnostic, Diagnostics, FileBytes, Frame, Goal, Selection, SourceMap, Span, VirtualPath,
};
use formwork_checks::suppressions::{Suppressed, Suppressions};
use formwork_evaluate::{AccountData, Argument, Evaluator, ParameterTable, Settings};
use formwork_loops::LoopRun;
use formwork_merge::Merged;
use formwork_modules::Linked;
use formwork_provenance::{Answer, LineAnswers, LinePlace, Roots, Session};
use formwork_rules::solve::{self, Problem, Solution, Table};
use formwork_rules::{RuleSet, RulesReport};
use formwork_syntax::write::{self, NoRecord, Sink};
use formwork_syntax::{Dependencies, Document, Encoding, Format, NodeId, Tree};
use formwork_template::{NamePatterns, Section, Template};

use crate::encoder::Encoder;
use crate::parent::Parent;
use crate::run::Transformed;
use crate::stack_arguments::StackArguments;
use crate::written_places::{WrittenPlace, WrittenPlaces};

/// The result of a run: a template, unless there are errors, and all diagnostics.
#[derive(Debug)]
pub struct Compilation {
    pub(crate) tree: Arc<Tree>,
    pub(crate) sources: SourceMap,
    pub(crate) document: Document,
    pub(crate) root: NodeId,
    pub(crate) template: Template,
    pub(crate) encoding: Encoding,
    pub(crate) bytes: FileBytes,
    /// Shared with reports that have no other diagnostics.
    pub(crate) diagnostics: Arc<Vec<Diagnostic>>,
    pub(crate) has_errors: bool,
    pub(crate) reporting: Reporting,
    pub(crate) left_out: LeftOut,
    /// The stack that uses the template as a nested one.
    pub(crate) parent: Option<Arc<Parent>>,
    pub(crate) secrets: Vec<Span>,
    pub(crate) goal: Goal,
    pub(crate) rules_settings: formwork_rules::Settings,
    /// The result of inlining modules; `None` without modules.
    pub(crate) linked: Option<Linked>,
    /// `None` when too little of the template could be read to expand it.
    pub(crate) replay: Option<Replayable>,
    pub(crate) stack_arguments: StackArguments,
    pub(crate) pruned: Vec<String>,
    pub(crate) inputs: Inputs,
}

/// The files of a template with several ones.
#[derive(Debug)]
pub(crate) struct Union {
    /// The files that could be read.
    pub(crate) documents: Vec<Document>,
    pub(crate) merged: Merged,
}

/// The files of a run.
#[derive(Debug)]
pub(crate) struct Inputs {
    pub(crate) dependencies: Dependencies,
    /// The files of the template; `None` for a template of one file.
    pub(crate) union: Option<Union>,
}

/// Settings for reporting diagnostics, also those that are found after the run.
#[derive(Debug)]
pub(crate) struct Reporting {
    pub(crate) strict: bool,
    pub(crate) selection: Selection,
    /// Set when errors that make the output wrong may be left out.
    pub(crate) leaves_out_errors: bool,
}

#[derive(Debug)]
pub(crate) struct LeftOut {
    pub(crate) suppressions: Suppressions,
    pub(crate) suppressed: Vec<Suppressed>,
    pub(crate) ignored: Vec<Diagnostic>,
}

impl LeftOut {
    pub(crate) fn suppressed(&mut self) -> impl Iterator<Item = &mut Diagnostic> {
        self.suppressed.iter_mut().map(|one| &mut one.diagnostic)
    }
}

/// The state that is needed to evaluate a part of the template again as in the run.
#[derive(Debug)]
pub(crate) struct Replayable {
    pub(crate) parameters: ParameterTable,
    pub(crate) facts: AccountData,
    pub(crate) settings: Settings,
    pub(crate) expanded: NodeId,
    pub(crate) loops: Vec<LoopRun>,
    /// Patterns of names that loops may generate, which were not checked.
    pub(crate) unchecked: NamePatterns,
    pub(crate) rules: RulesRun,
    pub(crate) arguments: Vec<Argument>,
    /// The template behind the serverless transform; `None` where that was not run, and where it refuses the template.
    pub(crate) transformed: Option<Transformed>,
    /// What the serverless transform depends on, if the output of the run is to be without it.
    pub(crate) serverless: Option<formwork_serverless::Settings>,
}

impl Replayable {
    /// Returns the state of a template without loops and without the serverless transform.
    pub(crate) fn new(
        (parameters, arguments, facts): (ParameterTable, Vec<Argument>, AccountData),
        settings: Settings,
        expanded: NodeId,
        rules: RulesRun,
    ) -> Replayable {
        Replayable {
            parameters,
            facts,
            settings,
            expanded,
            loops: Vec::new(),
            unchecked: NamePatterns::new(),
            rules,
            arguments,
            transformed: None,
            serverless: None,
        }
    }

    /// Returns the root of what is deployed, before conditions and values are evaluated: behind the serverless transform,
    /// as far as that was run.
    pub(crate) fn deployed(&self) -> NodeId {
        self.transformed.as_ref().map_or(self.expanded, |transformed| transformed.whole)
    }

    /// Creates an evaluator with the values that the stages knew; `found_again` receives diagnostics that they have
    /// already reported.
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

#[derive(Debug, Default)]
pub(crate) struct RulesRun {
    /// `None` when the rules are not well-formed or were not read.
    pub(crate) set: Option<RuleSet>,
    /// `None` when the rules were not evaluated to the end.
    pub(crate) report: Option<RulesReport>,
}

impl Compilation {
    /// Returns `true` if there are errors; then there is no [`output`](Compilation::output).
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Returns `true` if the whole text of the template could be read.
    pub fn is_well_formed(&self) -> bool {
        self.document.is_well_formed
    }

    /// Returns the reported diagnostics, by file and position.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the diagnostics that authors suppressed.
    pub fn suppressed(&self) -> &[Suppressed] {
        &self.left_out.suppressed
    }

    /// Returns the errors that [`Options::selection`](crate::Options::selection) excludes.
    pub fn ignored(&self) -> &[Diagnostic] {
        &self.left_out.ignored
    }

    /// Returns the declarations that were removed from the output, such as `mapping Sizes`: [`Options::prune`].
    ///
    /// [`Options::prune`]: crate::Options::prune
    pub fn pruned(&self) -> &[String] {
        &self.pruned
    }

    /// Returns the stacks that nest the template, outermost first.
    pub fn context(&self) -> &[Frame] {
        self.parent.as_ref().map_or(&[], |parent| &parent.frames)
    }

    /// Returns the parent that uses the template as a nested one.
    pub fn parent(&self) -> Option<&Parent> {
        self.parent.as_deref()
    }

    /// Returns the paths of the local modules that the template imports, as reports show them.
    pub fn local_modules(&self) -> impl Iterator<Item = &str> {
        let linked = self.linked.iter();
        let files = linked.flat_map(|linked| {
            let files = linked.documents.iter().filter_map(|(root, _)| self.sources.file_of(self.tree.span(*root)));
            files.filter(|file| *file != self.document.file && !linked.elsewhere.contains(file))
        });
        files.map(|file| self.sources.display(file))
    }

    /// Returns the files on which the result depends: the files that were read, including the template, and the files
    /// that were looked for and do not exist.
    pub fn dependencies(&self) -> &Dependencies {
        &self.inputs.dependencies
    }

    pub(crate) fn depends_on(&self, path: &VirtualPath) -> bool {
        let Dependencies { found, missing, .. } = &self.inputs.dependencies;
        [found, missing].iter().any(|those| those.binary_search(path).is_ok())
    }

    /// Returns the files that were read.
    pub fn sources(&self) -> &SourceMap {
        &self.sources
    }

    /// Returns the spans that no report may show.
    pub fn secrets(&self) -> &[Span] {
        &self.secrets
    }

    /// Returns the format of the template.
    pub fn format(&self) -> Format {
        self.document.format
    }

    /// Returns the loops that were unrolled: name, items of the first run, iterations over all runs.
    pub fn loops(&self) -> impl Iterator<Item = (&str, usize, u64)> {
        self.replay.iter().flat_map(|replay| &replay.loops).map(|run| {
            let key = self.tree.text(run.key);
            (formwork_syntax::function::loop_name(key).unwrap_or(key), run.items, run.iterations)
        })
    }

    /// Returns `true` if the output is identical to the template.
    pub fn is_unchanged(&self) -> bool {
        self.is_as_written(&self.tree, self.root)
    }

    fn is_as_written(&self, tree: &Tree, root: NodeId) -> bool {
        root == self.document.root && !self.document.is_united && !tree.has(root, formwork_syntax::flags::EDITED)
    }

    /// Writes a template that was derived from this one, in a tree that begins with the tree of this compilation.
    pub(crate) fn write_root(&self, tree: &Tree, root: NodeId, format: Option<Format>, sink: Sink<'_>) {
        let format = format.unwrap_or(self.document.format);
        write::write(tree, root, &self.document, &self.sources, format, sink, &mut NoRecord);
    }

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

    /// Writes a derived template as bytes, and returns the origin of each place in them.
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
        // The bytes of an unchanged template are those of its file.
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

    /// The encoding of an output: that of the template if the format is the same.
    pub(crate) fn encoding_in(&self, format: Format) -> Encoding {
        if format == self.document.format { self.encoding } else { Encoding::Utf8 }
    }

    /// Returns the origin of the value at `path` in the output (reference/provenance.md#explain). The path is dotted, a
    /// JSON pointer or a logical ID.
    ///
    /// # Errors
    /// When nothing matches: the nearest existing paths, at most five.
    pub fn explain(&self, path: &str) -> Result<Answer, Vec<String>> {
        let written = self.in_session(|session, secrets| session.explain(path, secrets));
        let is_there = written.as_ref().is_some_and(|answer| answer.as_ref().is_ok_and(Answer::is_in_output));
        let made = self.made_beside().filter(|_| !is_there);
        let made = made.and_then(|root| {
            self.in_session_of(&self.tree, root, |session, secrets| session.explain(path, secrets).ok())?
        });
        match made.filter(Answer::is_in_output) {
            Some(made) => Ok(made),
            None => written.unwrap_or_else(|| Err(Vec::new())),
        }
    }

    /// Returns the root of the result before conditions and values were evaluated.
    pub(crate) fn whole(&self, replay: &Replayable) -> NodeId {
        if self.made_beside().is_some() { replay.expanded } else { replay.deployed() }
    }

    /// Returns the authored resource of which the serverless transform makes one with this logical ID, if it makes several.
    pub fn owner_of(&self, id: &str) -> Option<&str> {
        self.replay.as_ref()?.transformed.as_ref()?.owners.get(id).map(String::as_str)
    }

    /// Returns `true` for a node that the serverless transform made.
    pub(crate) fn is_made(&self, node: NodeId) -> bool {
        let transformed = self.replay.as_ref().and_then(|replay| replay.transformed.as_ref());
        transformed.is_some_and(|transformed| transformed.made.contains(&node.index()))
    }

    /// Returns the root of what the serverless transform makes, if it is not the result.
    fn made_beside(&self) -> Option<NodeId> {
        let transformed = self.replay.as_ref()?.transformed.as_ref()?;
        (transformed.root != self.root).then_some(transformed.root)
    }

    /// Returns the nodes of the output that a line of a file, or a column of it, generates; both count from 1. The
    /// first 20 nodes are explained, all are counted.
    pub fn explain_line(&self, file: &str, line: u32, column: Option<u32>) -> LineAnswers {
        let place = LinePlace { file, line, column };
        let mut found =
            self.in_session(|session, secrets| session.explain_line(place, false, secrets)).unwrap_or_default();
        let made = self.made_beside().and_then(|root| {
            self.in_session_of(&self.tree, root, |session, secrets| session.explain_line(place, true, secrets))
        });
        if let Some(made) = made {
            found.add(made);
        }
        found
    }

    /// Returns a description of every origin of the output that violates an invariant
    /// (reference/provenance.md#invariants).
    pub fn verify_origins(&self) -> Vec<String> {
        self.in_session(|session, _| formwork_provenance::verify::verify(session)).unwrap_or_default()
    }

    /// Runs `work` with a provenance session, which writes to a copy of the tree. `None` when too little of the
    /// template could be read.
    pub(crate) fn in_session<R>(&self, work: impl FnOnce(&mut Session<'_, '_>, &[Span]) -> R) -> Option<R> {
        self.in_session_of(&self.tree, self.root, work)
    }

    /// Runs `work` with a provenance session of a template that was derived from this one, in a tree that begins with
    /// the tree of this compilation.
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
        let made = replay.transformed.as_ref().map_or(0..0, |transformed| transformed.made.clone());
        let roots = Roots { linked: self.template.root, expanded: replay.expanded, result, made };
        let mut session = Session::new(&mut evaluator, &self.sources, roots, self.linked.as_ref());
        Some(work(&mut session, &self.secrets))
    }

    /// Returns the outcome of each rule; `None` when an error prevented the evaluation of the rules.
    pub fn rules(&self) -> Option<&RulesReport> {
        self.replay.as_ref()?.rules.report.as_ref()
    }

    /// Searches for values that satisfy and that violate a rule, or each of them (reference/rules.md#solve). `None`
    /// when the rules are not well-formed.
    ///
    /// # Errors
    /// When no rule has that name: the names of the rules.
    pub fn solve(&self, rule: Option<&str>) -> Option<Result<Solution, Vec<String>>> {
        let never = Cancellation::never();
        self.problem(&never).map(|problem| solve::solve(&problem, rule))
    }

    /// Searches for values as [`Compilation::solve`] does, unless it is cancelled in the meantime.
    ///
    /// # Errors
    /// [`Cancelled`] when it was cancelled; inside, those of [`Compilation::solve`].
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

    /// Returns the outcomes of a rule, or of all of them, over all values of the parameters that matter. `None` when
    /// the rules are not well-formed.
    ///
    /// # Errors
    /// When no rule has that name: the names of the rules.
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

    /// Returns the goal of the compilation.
    pub fn goal(&self) -> Goal {
        self.goal
    }

    /// Returns the tree with the nodes of all files that were read, and all generated nodes.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// Returns the path of the template.
    pub fn path(&self) -> &VirtualPath {
        self.sources.path(self.document.file)
    }

    /// Returns the file of the template and its root as written.
    pub fn document(&self) -> Document {
        self.document
    }

    /// Returns the root of the result, or of the template as written if errors prevented the compilation.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Returns the root with its loops expanded and nothing evaluated; `None` if errors prevented the compilation.
    pub fn expanded_root(&self) -> Option<NodeId> {
        self.replay.as_ref().map(|replay| replay.expanded)
    }

    /// Returns the template as written, by its sections.
    pub fn template(&self) -> &Template {
        &self.template
    }
}
