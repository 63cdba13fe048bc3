//! Reporting diagnostics with their context.

use formwork_base::display::shown;
use formwork_base::{Code, Diagnostic, FrameKind, Severity};
use formwork_syntax::{Kind, NodeId};

use super::Evaluator;
use crate::outcome::Outcome;

impl Evaluator<'_> {
    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        self.mode.errors += u64::from(diagnostic.severity == Severity::Error);
        if self.mode.silent == 0 {
            self.report_always(diagnostic);
        } else {
            self.error_count += 1;
        }
    }

    pub(super) fn report_always(&mut self, diagnostic: Diagnostic) {
        self.error_count += 1;
        let frames = self.tree.frame_chain(self.frame);
        let path = self.path_text();
        let diagnostic = diagnostic.frames(frames);
        self.diagnostics.push(if path.is_empty() { diagnostic } else { diagnostic.path(path) });
    }

    /// Handles a call that cannot be computed: an error, or kept where it may never be evaluated.
    pub(crate) fn fail(&mut self, call: NodeId, diagnostic: Diagnostic) -> Outcome {
        if self.mode.lenient > 0 {
            if !self.failed.contains(&call) {
                self.failed.push(call);
            }
            return Outcome::Residual(call);
        }
        self.report(diagnostic);
        Outcome::Poison
    }

    /// Handles a call that cannot be computed and whose arguments are: where it stays, it stays as `kept`.
    pub(crate) fn fail_as(&mut self, call: NodeId, kept: NodeId, diagnostic: Diagnostic) -> Outcome {
        match self.fail(call, diagnostic) {
            Outcome::Residual(_) => Outcome::Residual(kept),
            outcome => outcome,
        }
    }

    /// Reports a call that is an error even where it may never be evaluated.
    pub(crate) fn wrong(&mut self, diagnostic: Diagnostic) -> Outcome {
        self.report(diagnostic);
        Outcome::Poison
    }

    pub(crate) fn error(&self, code: Code, at: NodeId, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, message).at(self.tree.span(at))
    }

    fn path_text(&self) -> String {
        let mut text = String::new();
        for &step in &self.path {
            if self.tree.kind(step) == Kind::Key {
                if !text.is_empty() {
                    text.push('.');
                }
                text.push_str(&shown(self.tree.text(step)));
            }
        }
        text
    }

    pub(crate) fn import_prefix(&self) -> String {
        let frames = self.tree.frames().chain(self.frame).filter(|(_, record)| record.kind == FrameKind::Module);
        let mut names: Vec<&str> = frames.map(|(_, record)| self.tree.name(record.name)).collect();
        names.reverse();
        names.concat()
    }

    pub(crate) fn import_name(&self) -> Option<String> {
        let mut frames = self.tree.frames().chain(self.frame);
        let found = frames.find(|(_, record)| record.kind == FrameKind::Module)?;
        Some(self.tree.name(found.1.name).to_owned())
    }
}
