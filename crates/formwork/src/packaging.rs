//! Packaging: the files of a template to upload, and the template with their locations (reference/packaging.md).

use std::sync::Arc;

use formwork_base::{Diagnostic, Diagnostics, Severity, Span, VirtualPath};
use formwork_modules::Linked;
use formwork_package::{ArtifactRef, DependencyLayers, OpenParameters, Plan, Purpose, Target};
use formwork_syntax::write::Sink;
use formwork_syntax::{Format, NodeId, Tree};
use formwork_template::artifact::Treatment;

use crate::compilation::Compilation;
use crate::output::{Failed, Output};
use crate::report::Report;
use crate::run::is_about_output;
use crate::written_places::WrittenPlace;

/// The location of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum File<'f> {
    /// On disk, at this path from the directory of the root template.
    OnDisk(&'f VirtualPath),
    /// At a URL, or in an archive.
    Elsewhere(&'f str),
}

/// The options of packaging.
#[derive(Clone, Debug, Default)]
pub struct PackageOptions {
    /// The template to write; by default loops stay where CloudFormation expands them.
    pub output: Option<formwork_package::Output>,
    /// Set to note the items of packaged parameters in the template's metadata.
    pub records: bool,
    /// Parameters whose values at deployment may differ from those of packaging.
    pub open: OpenParameters,
    /// Set when a check of the template was already reported: packaging then reports only errors, and diagnostics about
    /// the template it writes.
    pub is_checked: bool,
    /// The purpose for which artifacts are collected.
    pub purpose: Purpose,
}

/// A template being packaged: first the files to upload, then the template with their locations.
#[derive(Debug)]
pub struct Packaging {
    report: Report,
    pub(crate) plan: Plan,
    /// The tree of the compilation with the nodes that planning and rewriting added.
    pub(crate) tree: Tree,
    pub(crate) root: NodeId,
}

impl Packaging {
    /// Finds the files of a template to upload. Errors of artifact properties are in the report afterwards.
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
        let output = match options.output {
            // The transform runs over expanded loops.
            _ if replay.serverless.is_some() => formwork_package::Output::Expanded,
            output => output.unwrap_or_else(|| formwork_package::default_output(&evaluator, written)),
        };
        let linked = compilation.linked.as_ref();
        let source = |value: NodeId| as_written(linked, value);
        let is_sound = !compilation.has_errors();
        let (expanded, purpose) = (compilation.root, options.purpose);
        let mut plan = formwork_package::plan(&mut evaluator, written, expanded, output, purpose, is_sound, &source);
        plan.records = options.records;
        plan.open = options.open;
        // Nothing is fixed or kept in a template whose loops stay.
        let is_preserved = output == formwork_package::Output::Preserved;
        let is_reported = |found: &Diagnostic| is_reported(found) && !(is_preserved && is_about_output(found.code));
        let found = std::mem::take(&mut plan.diagnostics);
        let report = Report::new(Arc::clone(compilation), is_reported, found);
        Packaging { report, plan, tree, root: compilation.root }
    }

    /// Returns the files to upload.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Returns the report of the template.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Reports diagnostics about the files of the template and their targets.
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        self.report.add(found);
    }

    /// Rewrites the template with the locations of its files: `targets` has one entry per need of the plan. Its errors
    /// are in the report afterwards.
    pub fn rewrite(&mut self, targets: &[Target]) {
        self.rewrite_with_layers(targets, None);
    }

    /// Rewrites the template with the locations of its files, and adds the layers with their packages to the functions.
    pub fn rewrite_with_layers(&mut self, targets: &[Target], layers: Option<&DependencyLayers>) {
        let rewritten = formwork_package::rewrite(&mut self.tree, &self.plan, targets, layers);
        if let Some(root) = rewritten.root {
            // With loops that stay it is the linked template.
            let linked = self.report.compilation().linked.as_ref();
            self.root = linked.map_or(root, |linked| formwork_modules::finish(&mut self.tree, root, root, linked));
        }
        self.report.add(rewritten.diagnostics);
        let replay = self.report.compilation().replay.as_ref();
        if let Some(settings) = replay.and_then(|replay| replay.serverless.clone()) {
            let mut found = Diagnostics::new();
            self.root = formwork_serverless::translate(&mut self.tree, self.root, &settings, &mut found).root;
            self.report.add(found.iter().cloned());
        }
    }

    /// Rewrites the template as if its files were stored, with assumed addresses: for tools that know what
    /// CloudFormation receives, and look at no file.
    pub fn rewrite_as_stored(&mut self) {
        const BUCKET: &str = "artifacts";
        let target = |need: &ArtifactRef| {
            let key = need.path.trim_start_matches("./").to_owned();
            match need.treatment {
                Treatment::Image => {
                    Target::Image(format!("123456789012.dkr.ecr.us-east-1.amazonaws.com/{BUCKET}:latest"))
                }
                _ => Target::Object {
                    bucket: BUCKET.to_owned(),
                    url: format!("https://{BUCKET}.s3.amazonaws.com/{key}"),
                    key: if key.is_empty() || key == "." { BUCKET.to_owned() } else { key },
                },
            }
        };
        let targets: Vec<Target> = self.plan.needs.iter().map(target).collect();
        self.rewrite(&targets);
    }

    /// Returns the packaged template, unless there are errors.
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

/// The packaged template, ready to be written.
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

    /// Returns the packaged template as text.
    pub fn render(self, format: Option<Format>) -> String {
        let mut text = String::new();
        self.write(format, &mut |part| text.push_str(part));
        text
    }

    /// Writes the packaged template as bytes: those of the file when nothing changed, else in its encoding.
    pub fn write_bytes(self, format: Option<Format>, sink: &mut dyn FnMut(&[u8])) {
        let Packaging { report, tree, root, .. } = self.packaging;
        report.compilation().write_root_bytes(tree, *root, format, sink);
    }

    /// Writes the packaged template in its own format, and returns its source map. `path` is that of the output, from the
    /// directory of the template.
    pub fn write_with_map(self, path: &str, sink: &mut dyn FnMut(&[u8])) -> Option<String> {
        let Packaging { report, tree, root, .. } = self.packaging;
        Output { compilation: report.compilation(), tree, root: *root }.write_with_map(None, path, sink)
    }

    /// Writes the packaged template as bytes, and returns the origin of each place of it, in order.
    pub fn write_with_places(self, format: Option<Format>, sink: &mut dyn FnMut(&[u8])) -> Vec<WrittenPlace> {
        let Packaging { report, tree, root, .. } = self.packaging;
        report.compilation().write_root_recorded(tree, *root, format, sink)
    }
}

impl Compilation {
    /// Returns the local nested templates of the template with the values it passes to them. The computed result
    /// counts, so a stack under a condition that is false is not one of them.
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

    /// Returns `true` if the result has properties or includes that may be paths of local files.
    pub fn names_files(&self) -> bool {
        formwork_package::names_files(&self.tree, self.root)
    }

    /// Returns the file in which a string is: the template, or one of its modules. `None` when it is in no file.
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

fn as_written(linked: Option<&Linked>, mut value: NodeId) -> NodeId {
    while let Some(inserted) = linked.and_then(|linked| linked.inserted.get(&value)) {
        value = inserted.value;
    }
    value
}
