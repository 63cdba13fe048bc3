//! Which diagnostics are wanted (reference/diagnostics.md#selection).

use crate::codes::CodePattern;
use crate::{Code, Diagnostic, Severity};

/// Which diagnostics are reported: `--select` and `--ignore`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// The codes that are reported; all codes if the list is empty.
    pub select: Vec<CodePattern>,
    /// Codes that are not reported.
    pub ignore: Vec<CodePattern>,
}

impl Selection {
    /// Returns whether a diagnostic is reported: its code is selected, or it is an error that makes the output wrong.
    pub fn admits(&self, diagnostic: &Diagnostic) -> bool {
        !diagnostic.can_be_silenced() || self.names(diagnostic.code)
    }

    /// Returns whether a code is selected. Where both lists name it, the narrower pattern wins, and of equally narrow
    /// ones `ignore`.
    pub fn names(&self, code: Code) -> bool {
        let precision = |patterns: &[CodePattern]| {
            let matching = patterns.iter().filter(|pattern| pattern.matches(code));
            matching.map(CodePattern::precision).max()
        };
        match (precision(&self.select), precision(&self.ignore)) {
            (None, _) if !self.select.is_empty() => false,
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(selected), Some(ignored)) => selected > ignored,
        }
    }
}

impl Diagnostic {
    /// Returns whether an author may choose not to see it. An error of FW00 to FW08 means that there is no right
    /// output.
    pub fn can_be_silenced(&self) -> bool {
        self.severity != Severity::Error || !self.code.is_of_output()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes;

    fn admits(select: &[&str], ignore: &[&str], diagnostic: &Diagnostic) -> bool {
        let patterns = |texts: &[&str]| texts.iter().filter_map(|text| CodePattern::parse(text)).collect();
        Selection { select: patterns(select), ignore: patterns(ignore) }.admits(diagnostic)
    }

    #[test]
    fn the_narrower_pattern_wins() {
        let warning = Diagnostic::new(codes::PLACEHOLDER_LITERAL, "");
        assert!(admits(&[], &[], &warning));
        assert!(!admits(&[], &["FW03"], &warning));
        assert!(!admits(&["FW02"], &[], &warning));
        assert!(admits(&["FW0307"], &["FW03"], &warning));
        assert!(!admits(&["FW03"], &["FW0307"], &warning));
        assert!(!admits(&["FW03"], &["FW03xx"], &warning));
    }

    #[test]
    fn errors_that_leave_no_output_stay() {
        let error = Diagnostic::new(codes::PLACEHOLDER_LITERAL, "").severity(Severity::Error);
        assert!(admits(&["FW09"], &["FW"], &error));
        let quota = Diagnostic::new(codes::QUOTA_RESOURCES, "").severity(Severity::Error);
        assert!(!admits(&[], &["FW09"], &quota));
    }
}
