//! What is reported of a template.

use std::sync::Arc;

use formwork_base::{Code, Diagnostic, Diagnostics, Severity};

use crate::compilation::Compilation;
use crate::run::is_about_output;

/// A compilation with everything that is reported of its template: the compilation's own diagnostics, and what
/// questions to it found out.
#[derive(Clone, Debug)]
pub struct Report {
    compilation: Arc<Compilation>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    has_errors: bool,
}

impl From<Arc<Compilation>> for Report {
    fn from(compilation: Arc<Compilation>) -> Report {
        let (diagnostics, has_errors) = (compilation.diagnostics().to_vec(), compilation.has_errors());
        Report { compilation, diagnostics, has_errors }
    }
}

impl Report {
    /// The part of a report that has a code. Errors still count.
    #[must_use]
    pub fn only(mut self, code: Code) -> Report {
        self.diagnostics.retain(|found| found.code == code);
        self
    }

    /// A report of errors, and of what describes the template that comes out.
    pub(crate) fn of_output(self) -> Report {
        self.reduced(|found| found.severity == Severity::Error || is_about_output(found.code))
    }

    /// A report without what describes the template that comes out.
    pub(crate) fn without_output(self) -> Report {
        self.reduced(|found| !is_about_output(found.code))
    }

    fn reduced(mut self, is_wanted: impl Fn(&Diagnostic) -> bool) -> Report {
        self.diagnostics.retain(is_wanted);
        self.has_errors = self.diagnostics.iter().any(|found| found.severity == Severity::Error);
        self
    }

    /// What was compiled.
    pub fn compilation(&self) -> &Arc<Compilation> {
        &self.compilation
    }

    /// Everything that is reported, by file and position.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether there are errors; also those that a report of another template has already.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Adds what was found of the template where it stands. With `strict`, warnings are errors.
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        let mut all = Diagnostics::new();
        all.extend(std::mem::take(&mut self.diagnostics));
        all.extend(found.into_iter().map(|mut diagnostic| {
            if let Some(parent) = self.compilation.parent() {
                parent.put_in_context(&mut diagnostic);
            }
            diagnostic
        }));
        if self.compilation.strict {
            all.raise_warnings();
        }
        // An error that another report has is not among them.
        self.has_errors |= all.has_errors();
        self.diagnostics = all.into_sorted(self.compilation.sources());
    }

    /// Adds what is about the run as a whole, such as account data that could not be found out, behind
    /// everything else and as it is.
    pub fn append(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in found {
            self.has_errors |= diagnostic.severity == Severity::Error;
            self.diagnostics.push(diagnostic);
        }
    }
}
