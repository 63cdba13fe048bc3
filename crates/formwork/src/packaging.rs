//! Packaging: what a template needs uploaded, and the template that names what was
//! (reference/packaging.md).

use std::sync::Arc;

use formwork_base::{Diagnostic, Diagnostics, Severity, Span, VirtualPath};
use formwork_expand::modules::{self, Linked};
use formwork_package::{ArtifactRef, DependencyLayers, OpenParameters, Output, Plan, Purpose, Target};
use formwork_syntax::write::Sink;
use formwork_syntax::{Format, NodeId, Tree};

use crate::compilation::Compilation;
use crate::output::Failed;
use crate::report::Report;
use crate::run::is_about_output;
use crate::written_places::WrittenPlace;

/// Where a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum File<'f> {
    /// At this path from the directory of the root template.
    OnDisk(&'f VirtualPath),
    /// At an address of the network, or in an archive.
    Elsewhere(&'f str),
}

/// How a template is packaged.
#[derive(Clone, Debug, Default)]
pub struct PackageOptions {
    /// Which template comes out; by default loops stay where CloudFormation runs them.
    pub output: Option<Output>,
    /// Whether the items of parameters that were packaged are noted in the template's metadata.
    pub records: bool,
    /// Parameters that may have other values at deployment than those that the template is packaged with.
    pub open: OpenParameters,
    /// Whether a check of the template was reported: then packaging reports errors, and what describes the
    /// template that comes out.
    pub is_checked: bool,
    /// What artifacts are looked for for.
    pub purpose: Purpose,
}

/// A template that is packaged: first what it needs uploaded, then the template that names where that is.
#[derive(Debug)]
pub struct Packaging {
    report: Report,
    pub(crate) plan: Plan,
    /// That of the compilation, and what planning and rewriting wrote.
    pub(crate) tree: Tree,
    pub(crate) root: NodeId,
}

impl Packaging {
    /// Finds out what a template needs uploaded. Errors of artifact properties are in the report
    /// afterwards.
    pub fn new(compilation: &Arc<Compilation>, options: PackageOptions) -> Packaging {
        let is_checked = options.is_checked;
        let is_reported =
            |found: &Diagnostic| !is_checked || found.severity == Severity::Error || is_about_output(found.code);
        let mut tree = Tree::clone(&compilation.tree);
        let Some(replay) = &compilation.replay else {
            let report = Report::new(Arc::clone(compilation), is_reported, []);
            return Packaging { report, plan: Plan::default(), tree, root: compilation.root };
        };
        let mut found_again = Diagnostics::new();
        let mut evaluator = replay.evaluator(&mut tree, &compilation.template, &mut found_again);
        let written = compilation.template.root;
        let output = options.output.unwrap_or_else(|| formwork_package::default_output(&evaluator, written));
        let linked = compilation.linked.as_ref();
        let source = |value: NodeId| as_written(linked, value);
        let is_sound = !compilation.has_errors();
        let (expanded, purpose) = (compilation.root, options.purpose);
        let mut plan = formwork_package::plan(&mut evaluator, written, expanded, output, purpose, is_sound, &source);
        plan.records = options.records;
        plan.open = options.open;
        // Nothing is fixed or kept in a template whose loops stay.
        let is_preserved = output == Output::Preserved;
        let is_reported = |found: &Diagnostic| is_reported(found) && !(is_preserved && is_about_output(found.code));
        let found = std::mem::take(&mut plan.diagnostics);
        let report = Report::new(Arc::clone(compilation), is_reported, found);
        Packaging { report, plan, tree, root: compilation.root }
    }

    /// What it needs.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Everything that is reported of it.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Reports what was found of the files that the template names, and of where they go.
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.report.add(found);
    }

    /// Rewrites the template with the locations of its files: `targets` has one entry per need of the plan.
    /// Its errors are in the report afterwards.
    pub fn rewrite(&mut self, targets: &[Target]) {
        self.rewrite_with_layers(targets, None);
    }

    /// The same; the functions also name the layers that have their packages.
    pub fn rewrite_with_layers(&mut self, targets: &[Target], layers: Option<&DependencyLayers>) {
        let rewritten = formwork_package::rewrite(&mut self.tree, &self.plan, targets, layers);
        if let Some(root) = rewritten.root {
            // With loops that stay it is the linked template.
            let linked = self.report.compilation().linked.as_ref();
            self.root = linked.map_or(root, |linked| modules::finish(&mut self.tree, root, root, linked));
        }
        self.report.add(rewritten.diagnostics);
    }

    /// What may be written: nothing after an error.
    ///
    /// # Errors
    /// When there are errors, with everything that is reported.
    pub fn output(&self) -> Result<Packaged<'_>, Failed<'_>> {
        if self.report.has_errors() {
            return Err(Failed { diagnostics: self.report.diagnostics() });
        }
        Ok(Packaged { packaging: self })
    }
}

/// The packaged template: what may be written.
#[derive(Clone, Copy, Debug)]
pub struct Packaged<'p> {
    packaging: &'p Packaging,
}

impl Packaged<'_> {
    /// Writes the packaged template in a format, its own by default. Finished parts go to `sink` in order.
    pub fn write(self, format: Option<Format>, sink: Sink<'_>) {
        let Packaging { report, tree, root, .. } = self.packaging;
        report.compilation().write_root(tree, *root, format, sink);
    }

    /// The packaged template as text.
    pub fn render(self, format: Option<Format>) -> String {
        let mut text = String::new();
        self.write(format, &mut |part| text.push_str(part));
        text
    }

    /// The packaged template as bytes: those of the file when nothing changed, else in its encoding.
    pub fn write_bytes(self, format: Option<Format>, sink: &mut dyn FnMut(&[u8])) {
        let Packaging { report, tree, root, .. } = self.packaging;
        report.compilation().write_root_bytes(tree, *root, format, sink);
    }

    /// The same, and where each place of the text comes from, in the order of the text.
    pub fn write_with_places(self, format: Option<Format>, sink: &mut dyn FnMut(&[u8])) -> Vec<WrittenPlace> {
        let Packaging { report, tree, root, .. } = self.packaging;
        report.compilation().write_root_recorded(tree, *root, format, sink)
    }
}

impl Compilation {
    /// The local nested templates that the template uses, with what it passes to them: what is known of the
    /// result counts, so that a stack under a condition that is false is none of them.
    pub(crate) fn nested_uses(&self) -> Vec<ArtifactRef> {
        let Some(replay) = &self.replay else { return Vec::new() };
        // Most templates use none: neither a stack nor, with the serverless transform, an application.
        if self.tree.symbols().get("TemplateURL").is_none() && !self.template.has_other_transforms() {
            return Vec::new();
        }
        let mut found_again = Diagnostics::new();
        let mut scratch = Tree::clone(&self.tree);
        let mut evaluator = replay.evaluator(&mut scratch, &self.template, &mut found_again);
        let linked = self.linked.as_ref();
        formwork_package::nested(&mut evaluator, self.root, &|value| as_written(linked, value))
    }

    /// Whether the result has properties or includes that may name local files.
    pub fn names_files(&self) -> bool {
        formwork_package::names_files(&self.tree, self.root)
    }

    /// The file that a string is in: the template, or one of its modules. `None` when it is
    /// in no file.
    pub fn file_of(&self, span: Span) -> Option<File<'_>> {
        let file = self.sources.file_of(span)?;
        let is_elsewhere = self.linked.as_ref().is_some_and(|linked| linked.elsewhere.contains(&file));
        Some(if is_elsewhere {
            File::Elsewhere(self.sources.display(file))
        } else {
            File::OnDisk(self.sources.path(file))
        })
    }
}

/// What was written in the place of a value that a module was passed.
fn as_written(linked: Option<&Linked>, mut value: NodeId) -> NodeId {
    while let Some(inserted) = linked.and_then(|linked| linked.inserted.get(&value)) {
        value = inserted.value;
    }
    value
}
