//! What is reported of a template.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use formwork_base::{Code, Diagnostic, Diagnostics, Severity};
use formwork_rules::suppressions::Suppressed;

use crate::compilation::Compilation;

/// The same message at one place: by its code, file, line and column.
type Statement = (Code, Option<(String, u32, u32)>, String);

/// A compilation with everything that is reported of its template: the compilation's own diagnostics, and what
/// questions to it found out. More may be added; what is there is neither changed nor taken away.
#[derive(Clone, Debug)]
pub struct Report {
    compilation: Arc<Compilation>,
    /// Those of the compilation, unless something was added or left out.
    diagnostics: Arc<Vec<Diagnostic>>,
    suppressed: Vec<Suppressed>,
    /// Errors that are not selected.
    ignored: Vec<Diagnostic>,
    has_errors: bool,
}

impl From<Arc<Compilation>> for Report {
    fn from(compilation: Arc<Compilation>) -> Report {
        let (diagnostics, has_errors) = (Arc::clone(&compilation.diagnostics), compilation.has_errors());
        let (suppressed, ignored) = (compilation.suppressed().to_vec(), compilation.ignored().to_vec());
        Report { compilation, diagnostics, suppressed, ignored, has_errors }
    }
}

impl Report {
    /// Reports of a template what was found of it, and what `is_reported` picks of what its compilation found.
    pub(crate) fn new(
        compilation: Arc<Compilation>,
        is_reported: impl Fn(&Diagnostic) -> bool,
        found: impl IntoIterator<Item = Diagnostic>,
    ) -> Report {
        let all = &compilation.diagnostics;
        let diagnostics = if all.iter().all(&is_reported) {
            Arc::clone(all)
        } else {
            Arc::new(all.iter().filter(|found| is_reported(found)).cloned().collect())
        };
        let has_errors = diagnostics.iter().any(|found| found.severity == Severity::Error);
        let mut report = Report { compilation, diagnostics, suppressed: Vec::new(), ignored: Vec::new(), has_errors };
        report.add(found);
        report
    }

    /// Reports of a template only what was found of it besides its compilation, whose diagnostics are reported
    /// elsewhere.
    pub fn of_findings(compilation: Arc<Compilation>, found: impl IntoIterator<Item = Diagnostic>) -> Report {
        Report::new(compilation, |_| false, found)
    }

    /// Builds reports without duplicate statements. What several of `reports` contain about one place in the same
    /// words is in the first of them, which counts it, with the worst severity; what one of `said` has is in none,
    /// and its errors still count.
    pub fn distinct<'r>(reports: impl IntoIterator<Item = &'r Report>, said: &[&Report]) -> Vec<Report> {
        let mut reports = reports.into_iter().peekable();
        if reports.peek().is_none() {
            return Vec::new();
        }
        let said: HashSet<Statement> =
            said.iter().flat_map(|report| report.statements().map(|(said, _)| said)).collect();
        let mut made: Vec<Report> = Vec::new();
        let mut first: HashMap<Statement, (usize, usize)> = HashMap::new();
        for report in reports {
            let mut own: Vec<Diagnostic> = Vec::new();
            for (statement, diagnostic) in report.statements().filter(|(statement, _)| !said.contains(statement)) {
                let (owner, at) = *first.entry(statement).or_insert((made.len(), own.len()));
                match made.get_mut(owner).map(|owner| &mut Arc::make_mut(&mut owner.diagnostics)[at]) {
                    Some(known) => {
                        known.count += diagnostic.count;
                        known.severity = known.severity.max(diagnostic.severity);
                    }
                    None => own.push(diagnostic.clone()),
                }
            }
            made.push(Report { diagnostics: Arc::new(own), ..report.clone() });
        }
        made
    }

    /// The diagnostics, and what identifies each.
    fn statements(&self) -> impl Iterator<Item = (Statement, &Diagnostic)> {
        let sources = self.compilation.sources();
        self.diagnostics.iter().map(move |diagnostic| {
            let place = diagnostic.primary.as_ref().and_then(|label| sources.place(label.span));
            let place = place.map(|place| (sources.display(place.file).to_owned(), place.line, place.column));
            ((diagnostic.code, place, diagnostic.message.clone()), diagnostic)
        })
    }

    /// A report without the diagnostics of the compilation, for what is found of it later.
    pub fn alone(compilation: Arc<Compilation>) -> Report {
        Report::new(compilation, |_| false, Vec::new())
    }

    /// What was compiled.
    pub fn compilation(&self) -> &Arc<Compilation> {
        &self.compilation
    }

    /// Everything that is reported, by file and position.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// What was found and authors chose not to see.
    pub fn suppressed(&self) -> &[Suppressed] {
        &self.suppressed
    }

    /// Errors that the selection of codes leaves out.
    pub fn ignored(&self) -> &[Diagnostic] {
        &self.ignored
    }

    /// Whether there are errors; also those that a report of another template has already.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Adds the findings about the template at their places. With `strict`, warnings are errors.
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        let mut found = found.into_iter().peekable();
        if found.peek().is_none() && Arc::ptr_eq(&self.diagnostics, &self.compilation.diagnostics) {
            return;
        }
        let mut all = Diagnostics::new();
        all.extend(Arc::unwrap_or_clone(std::mem::take(&mut self.diagnostics)));
        for mut diagnostic in found {
            let suppressed = self.compilation.left_out.suppressions.suppress(&diagnostic);
            let reporting = &self.compilation.reporting;
            if !reporting.selection.admits(&diagnostic, reporting.leaves_out_errors) {
                if diagnostic.severity == Severity::Error {
                    self.ignored.push(diagnostic);
                }
                continue;
            }
            if let Some(suppressed) = suppressed {
                self.suppressed.push(suppressed);
                continue;
            }
            if let Some(parent) = self.compilation.parent() {
                parent.put_in_context(&mut diagnostic);
            }
            all.push(diagnostic);
        }
        if self.compilation.reporting.strict {
            all.raise_warnings();
        }
        // An error that another report has is not among them.
        self.has_errors |= all.has_errors();
        self.diagnostics = Arc::new(all.into_sorted(self.compilation.sources()));
    }

    /// Adds what is about the run as a whole, such as account data that could not be found out, after
    /// everything else and as it is.
    pub fn append(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in found {
            self.has_errors |= diagnostic.severity == Severity::Error;
            Arc::make_mut(&mut self.diagnostics).push(diagnostic);
        }
    }
}
