//! Packaging: what a template needs uploaded, and the template that names what was
//! (reference/packaging.md).

use formwork_base::{Diagnostic, Diagnostics, Span, VirtualPath, codes};
use formwork_expand::modules::{self, Linked};
use formwork_package::{Need, Output, Plan, Target};
use formwork_syntax::NodeId;

use crate::compilation::Compilation;

/// Where a file is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum File<'f> {
    /// At this path from the folder of the root template.
    OnDisk(&'f VirtualPath),
    /// At an address of the network, or in an archive.
    Elsewhere(&'f str),
}

impl Compilation {
    /// What the template needs uploaded. `output` says which template comes out; by default loops stay
    /// where the service runs them. What is wrong with artifact properties is among the diagnostics
    /// afterwards. `None` when the text could not be read well enough.
    pub fn plan(&mut self, output: Option<Output>) -> Option<Plan> {
        let replay = self.replay.as_ref()?;
        let mut found_again = Diagnostics::new();
        let mut evaluator = replay.evaluator(&mut self.tree, &self.template, &mut found_again);
        let written = self.template.root;
        let output = output.unwrap_or_else(|| formwork_package::default_output(&evaluator, written));
        let linked = self.linked.as_ref();
        let source = |value: NodeId| as_written(linked, value);
        let mut plan = formwork_package::plan(&mut evaluator, written, self.root, output, !self.has_errors, &source);
        if output == Output::Preserved {
            // Nothing is fixed or kept in a template whose loops stay.
            self.diagnostics.retain(|said| ![codes::VALUE_FIXED, codes::KEPT_FOR_TRANSFORM].contains(&said.code));
        }
        self.report(std::mem::take(&mut plan.diagnostics));
        Some(plan)
    }

    /// The local nested templates that the template uses, with what it passes to them: what is known of the
    /// result counts, so that a stack under a condition that is false is none of them.
    pub(crate) fn nested_uses(&mut self) -> Vec<Need> {
        let Some(replay) = &self.replay else { return Vec::new() };
        // Most templates use none: neither a stack nor, with the serverless transform, an application.
        if self.tree.symbols().get("TemplateURL").is_none() && !self.template.has_other_transforms() {
            return Vec::new();
        }
        let mut found_again = Diagnostics::new();
        let mut evaluator = replay.evaluator(&mut self.tree, &self.template, &mut found_again);
        let linked = self.linked.as_ref();
        formwork_package::nested(&mut evaluator, self.root, &|value| as_written(linked, value))
    }

    /// Makes the template one that names where its files will be: `targets` has one entry a need of
    /// the plan. What is wrong with it is among the diagnostics afterwards.
    pub fn package(&mut self, plan: &Plan, targets: &[Target]) {
        let rewritten = formwork_package::rewrite(&mut self.tree, plan, targets);
        if let Some(root) = rewritten.root {
            // With loops that stay it is the linked template.
            let linked = self.linked.as_ref();
            self.root = linked.map_or(root, |linked| modules::finish(&mut self.tree, root, root, linked));
        }
        self.report(rewritten.diagnostics);
    }

    /// The file that a piece of text stands in: the template, or one of its modules. `None` when it stands
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

    /// Takes out what `is_known` says was said of the same file before. Errors still count.
    pub fn forget(&mut self, is_known: impl Fn(&Diagnostic) -> bool) {
        self.diagnostics.retain(|said| !is_known(said));
    }

    /// Adds to what is to be said of the template.
    pub fn report(&mut self, found: Vec<Diagnostic>) {
        let mut all = Diagnostics::new();
        all.extend(std::mem::take(&mut self.diagnostics));
        all.extend(found.into_iter().map(|mut diagnostic| {
            if let Some(parent) = &self.parent {
                parent.put_in_context(&mut diagnostic);
            }
            diagnostic
        }));
        if self.strict {
            all.raise_warnings();
        }
        self.has_errors = all.has_errors();
        self.diagnostics = all.into_sorted(&self.sources);
    }
}

/// What was written in the place of a value that a module was passed.
fn as_written(linked: Option<&Linked>, mut value: NodeId) -> NodeId {
    while let Some(inserted) = linked.and_then(|linked| linked.inserted.get(&value)) {
        value = inserted.value;
    }
    value
}
