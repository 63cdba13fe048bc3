//! The report of a template.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use formwork_base::{Code, Diagnostic, Diagnostics, Severity};
use formwork_checks::suppressions::Suppressed;

use crate::compilation::Compilation;

/// The identity of a diagnostic: code, file, line and column, message.
type Statement = (Code, Option<(String, u32, u32)>, String);

/// A compilation with all diagnostics of its template: its own, and those of later queries. Diagnostics may be added;
/// those that are there are neither changed nor removed.
#[derive(Clone, Debug)]
pub struct Report {
    compilation: Arc<Compilation>,
    /// Shared with the compilation, unless something was added or left out.
    diagnostics: Arc<Vec<Diagnostic>>,
    suppressed: Vec<Suppressed>,
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
    /// Creates a report of the diagnostics that were found later, and those of the compilation that `is_reported`
    /// selects.
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

    /// Creates a report of the diagnostics that were found later; those of the compilation are reported elsewhere.
    pub fn of_findings(compilation: Arc<Compilation>, found: impl IntoIterator<Item = Diagnostic>) -> Report {
        Report::new(compilation, |_| false, found)
    }

    /// Builds reports without duplicate statements. A diagnostic that several of `reports` have with the same words at
    /// one place is in the first of them, which counts it, with the worst severity; one that a report of `reported` has is
    /// in none, and its errors still count.
    pub fn distinct<'r>(reports: impl IntoIterator<Item = &'r Report>, reported: &[&Report]) -> Vec<Report> {
        let mut reports = reports.into_iter().peekable();
        if reports.peek().is_none() {
            return Vec::new();
        }
        let reported: HashSet<Statement> =
            reported.iter().flat_map(|report| report.statements().map(|(reported, _)| reported)).collect();
        let mut made: Vec<Report> = Vec::new();
        let mut first: HashMap<Statement, (usize, usize)> = HashMap::new();
        for report in reports {
            let mut own: Vec<Diagnostic> = Vec::new();
            for (statement, diagnostic) in report.statements().filter(|(statement, _)| !reported.contains(statement)) {
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

    fn statements(&self) -> impl Iterator<Item = (Statement, &Diagnostic)> {
        let sources = self.compilation.sources();
        self.diagnostics.iter().map(move |diagnostic| {
            let place = diagnostic.primary.as_ref().and_then(|label| sources.place(label.span));
            let place = place.map(|place| (sources.display(place.file).to_owned(), place.line, place.column));
            ((diagnostic.code, place, diagnostic.message.clone()), diagnostic)
        })
    }

    /// Creates a report without the diagnostics of the compilation, for diagnostics that are found later.
    pub fn alone(compilation: Arc<Compilation>) -> Report {
        Report::new(compilation, |_| false, Vec::new())
    }

    /// Returns the compilation.
    pub fn compilation(&self) -> &Arc<Compilation> {
        &self.compilation
    }

    /// Returns all diagnostics, by file and position.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Returns the diagnostics that authors suppressed.
    pub fn suppressed(&self) -> &[Suppressed] {
        &self.suppressed
    }

    /// Returns the errors that the selection of codes excludes.
    pub fn ignored(&self) -> &[Diagnostic] {
        &self.ignored
    }

    /// Returns `true` if there are errors, including those that a report of another template already has.
    pub fn has_errors(&self) -> bool {
        self.has_errors
    }

    /// Adds diagnostics about the template at their places. With `strict`, warnings are errors.
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
        // Does not include an error that another report has.
        self.has_errors |= all.has_errors();
        self.diagnostics = Arc::new(all.into_sorted(self.compilation.sources()));
    }

    /// Adds diagnostics about the run as a whole, such as account data that could not be fetched, after all others and
    /// unchanged.
    pub fn append(&mut self, found: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in found {
            self.has_errors |= diagnostic.severity == Severity::Error;
            Arc::make_mut(&mut self.diagnostics).push(diagnostic);
        }
    }
}
