//! The counts at the end of a report.

use formwork_base::{Diagnostic, Severity};

/// The number of diagnostics and files of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Errors.
    pub errors: usize,
    /// Warnings.
    pub warnings: usize,
    /// Notes.
    pub notes: usize,
    /// Files that were processed.
    pub files: usize,
    /// Suppressed diagnostics.
    pub suppressed: usize,
    /// Errors that the selection of codes excludes.
    pub ignored: usize,
    /// Diagnostics that a baseline has.
    pub known: usize,
    /// Diagnostics with a safe fix.
    pub fixable: usize,
    /// Diagnostics that were fixed.
    pub fixed: usize,
    /// Files that were fixed.
    pub fixed_files: usize,
}

impl Summary {
    /// Adds the diagnostics of a file.
    pub fn add<'d>(&mut self, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) {
        self.files += 1;
        for diagnostic in diagnostics {
            self.count(diagnostic.severity);
        }
    }

    /// Adds one diagnostic.
    pub fn count(&mut self, severity: Severity) {
        match severity {
            Severity::Error => self.errors += 1,
            Severity::Warning => self.warnings += 1,
            Severity::Note => self.notes += 1,
        }
    }

    /// Returns the errors and warnings in words, such as `2 errors, 1 warning`; empty without any.
    pub fn words(&self) -> String {
        counted(&[(self.errors, "error"), (self.warnings, "warning")])
    }

    /// Returns the line that ends a check, such as `Found 3 errors in 4 files; 2 fixable with --fix`.
    pub fn sentence(&self) -> String {
        let found = counted(&[(self.errors, "error"), (self.warnings, "warning"), (self.notes, "note")]);
        let files = counted(&[(self.files, "file")]);
        let files = if files.is_empty() { "0 files" } else { &files };
        let mut line = match found.as_str() {
            "" => format!("No problems found in {files}"),
            found => format!("Found {found} in {files}"),
        };
        let more = [
            (self.fixable, "fixable with --fix"),
            (self.suppressed, "suppressed"),
            (self.ignored, "ignored"),
            (self.known, "in the baseline"),
        ];
        let more: Vec<String> =
            more.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
        if !more.is_empty() {
            line += "; ";
            line += &more.join(", ");
        }
        line
    }

    /// Returns the line about fixes, such as `Fixed 2 diagnostics in 1 file`; empty if nothing was fixed.
    pub fn fixed_sentence(&self, verb: &str) -> String {
        if self.fixed == 0 {
            return String::new();
        }
        let fixed = counted(&[(self.fixed, "diagnostic")]);
        format!("{verb} {fixed} in {}", counted(&[(self.fixed_files, "file")]))
    }
}

/// Returns counts in words, such as `2 errors, 1 warning`, without those that are zero.
fn counted(counts: &[(usize, &str)]) -> String {
    let words = counts.iter().filter(|(count, _)| *count > 0).map(|(count, word)| match count {
        1 => format!("1 {word}"),
        count => format!("{count} {word}s"),
    });
    words.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_printed_in_one_line() {
        let all = Summary { errors: 3, warnings: 2, files: 4, fixable: 2, suppressed: 1, ..Summary::default() };
        assert_eq!(all.sentence(), "Found 3 errors, 2 warnings in 4 files; 2 fixable with --fix, 1 suppressed");
        assert_eq!(Summary { notes: 1, files: 1, ..Summary::default() }.sentence(), "Found 1 note in 1 file");
        let ignored = Summary { files: 1, suppressed: 1, ignored: 2, ..Summary::default() };
        assert_eq!(ignored.sentence(), "No problems found in 1 file; 1 suppressed, 2 ignored");
        let known = Summary { files: 1, known: 3, ..Summary::default() };
        assert_eq!(known.sentence(), "No problems found in 1 file; 3 in the baseline");
        assert_eq!(Summary { files: 2, ..Summary::default() }.sentence(), "No problems found in 2 files");
        let fixed = Summary { fixed: 2, fixed_files: 1, ..Summary::default() };
        assert_eq!(fixed.fixed_sentence("Fixed"), "Fixed 2 diagnostics in 1 file");
    }
}
