//! The end of a run: selects the diagnostics that are reported, and their severities.

use std::sync::Arc;

use formwork_base::{Code, Diagnostic, Diagnostics, FileBytes, Goal, Severity, codes};
use formwork_checks::suppressions::Suppressions;
use formwork_syntax::{Document, NodeId, decode};
use formwork_template::Template;

use super::{Run, is_about_output, sites};
use crate::compilation::{Compilation, LeftOut, Replayable, Reporting};
use crate::secrets;

impl Run<'_> {
    /// Returns `true` if errors that make the output wrong may be left out because the run has no output.
    fn leaves_out_errors(&self) -> bool {
        self.options.leaves_out_errors && self.goal == Goal::Check
    }

    /// Removes suppressed and unselected diagnostics. Errors of the latter are returned last.
    fn suppress(&mut self, document: Document) -> LeftOut {
        let selection = &self.options.selection;
        let leaves_out_errors = self.leaves_out_errors();
        let mut suppressions = if self.options.heeds_suppressions {
            Suppressions::read(&self.tree, &self.sources, leaves_out_errors)
        } else {
            Suppressions::default()
        };
        let mut suppressed = suppressions.apply(&mut self.diagnostics);
        if !suppressions.is_empty() {
            // An error may prevent checks.
            let suppressed = suppressed.iter().map(|one| &one.diagnostic);
            let is_complete = self.diagnostics.iter().chain(suppressed).all(Diagnostic::can_be_silenced);
            suppressions.report_errors(&mut self.diagnostics);
            if codes::UNUSED_SUPPRESSION.info().severities.at(self.goal).is_some() {
                let between = codes::ALL.iter().filter(|info| info.severities.is_between()).map(|info| info.code);
                let omitted: Vec<Code> = between.chain((!self.options.strict).then_some(codes::FULL_ID)).collect();
                let omitted = is_complete.then_some(omitted.as_slice());
                suppressions.report_warnings(document.file, &self.sources, omitted, &mut self.diagnostics);
            }
        }
        suppressed.retain(|one| selection.admits(&one.diagnostic, leaves_out_errors));
        let mut ignored = Vec::new();
        self.diagnostics.retain(|diagnostic| {
            let is_admitted = selection.admits(diagnostic, leaves_out_errors);
            if !is_admitted && diagnostic.severity == Severity::Error {
                ignored.push(diagnostic.clone());
            }
            is_admitted
        });
        LeftOut { suppressions, suppressed, ignored }
    }

    pub(super) fn finish(
        mut self,
        document: Document,
        root: NodeId,
        template: Template,
        encoding: decode::Encoding,
        bytes: FileBytes,
        replay: Option<Replayable>,
    ) -> Compilation {
        let rules_settings = self.rules_settings(replay.as_ref().map_or(&[], |replay| &replay.arguments));
        let leaves_out_errors = self.leaves_out_errors();
        // Diagnostics about an output have no meaning without one.
        let is_without_output = self.diagnostics.has_errors();
        // The parser of keys does not know the goal.
        if let Some(severity) = codes::DUPLICATE_KEY.info().severities.at(self.goal) {
            self.diagnostics.raise(codes::DUPLICATE_KEY, severity);
        }
        let mut left_out = self.suppress(document);
        if self.options.strict {
            self.diagnostics.raise_warnings();
        }
        let has_errors = self.diagnostics.has_errors();
        let diagnostics = self.reported(document, &mut left_out, is_without_output);
        self.tree.forget_sizes();
        Compilation {
            tree: Arc::new(self.tree),
            sources: self.sources,
            document,
            root,
            template,
            encoding,
            bytes,
            diagnostics: Arc::new(diagnostics),
            has_errors,
            reporting: Reporting {
                strict: self.options.strict,
                selection: self.options.selection.clone(),
                leaves_out_errors,
            },
            left_out,
            parent: self.options.parent.clone(),
            secrets: self.secrets,
            rules_settings,
            goal: self.goal,
            linked: self.linked,
            replay,
            stack_arguments: self.stack_arguments,
            pruned: self.pruned,
            dependencies: self.files.dependencies(),
        }
    }

    /// Returns the diagnostics in order and without secrets, with their frames; the left out ones are treated likewise.
    fn reported(&mut self, document: Document, left_out: &mut LeftOut, is_without_output: bool) -> Vec<Diagnostic> {
        // The diagnostics of a cancelled run are not shown.
        let is_shown = !self.diagnostics.is_empty() || !left_out.suppressed.is_empty() || !left_out.ignored.is_empty();
        if is_shown && !self.diagnostics.is_cancelled() {
            self.find_default_secrets(document);
        }
        let found = std::mem::replace(&mut self.diagnostics, Diagnostics::new());
        let mut diagnostics = found.into_sorted(&self.sources);
        if let Some(parent) = &self.options.parent {
            for diagnostic in diagnostics.iter_mut().chain(left_out.suppressed()) {
                parent.put_in_context(diagnostic);
            }
        }
        secrets::mask(&mut diagnostics, &self.secrets, &self.sources);
        secrets::mask(left_out.suppressed(), &self.secrets, &self.sources);
        secrets::mask(&mut left_out.ignored, &self.secrets, &self.sources);
        if is_without_output {
            diagnostics.retain(|diagnostic| !is_about_output(diagnostic.code));
        }
        let modules = self.linked.iter().flat_map(|linked| &linked.documents);
        let roots: Vec<NodeId> = std::iter::once(document.root).chain(modules.map(|(root, _)| *root)).collect();
        sites::note(&self.tree, &roots, &self.secrets, diagnostics.iter_mut().chain(left_out.suppressed()));
        diagnostics
    }

    /// Adds the places of secret `Default`s. The file that is not well-formed may be a module or an included file.
    fn find_default_secrets(&mut self, document: Document) {
        self.secrets.extend(secrets::default_spans(&self.tree, &self.sources));
        let is_unread = self.diagnostics.iter().any(|found| found.code == codes::NOT_WELL_FORMED);
        if is_unread || !document.is_well_formed {
            for file in self.sources.files() {
                let (text, base) = (self.sources.text(file), self.sources.base(file));
                let unsure = self.unsure(document, file);
                let found = secrets::unread_default_spans(&self.tree, text, base, |at| unsure.is_at(at));
                self.secrets.extend(found);
            }
        }
    }
}
