//! The selection of diagnostics (reference/diagnostics.md#selection).

use crate::codes::CodePattern;
use crate::{Code, Diagnostic, Severity, codes};

/// Advice that few authors want: reported when `--select` contains it.
const ON_REQUEST: [Code; 2] = [codes::PLAIN_JOIN, codes::QUOTA_ARGUMENTS];

/// The diagnostics that are reported: `--select` and `--ignore`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// The codes that are reported; all codes if the list is empty.
    pub select: Vec<CodePattern>,
    /// Codes that are not reported.
    pub ignore: Vec<CodePattern>,
}

impl Selection {
    /// Returns `true` when a diagnostic is reported: its code is selected, or it is an error that makes the output
    /// wrong. With `leaves_out_errors`, for a run without output, such an error is left out if `ignore` has its full
    /// code.
    pub fn admits(&self, diagnostic: &Diagnostic, leaves_out_errors: bool) -> bool {
        let code = diagnostic.code;
        let is_named =
            || leaves_out_errors && self.ignore.iter().any(|pattern| pattern.is_full() && pattern.matches(code));
        self.names(code) || !diagnostic.can_be_silenced() && !is_named()
    }

    /// Returns `true` when a code is selected. When both lists match it, the narrower pattern wins, and of equally
    /// narrow ones `ignore`.
    pub fn names(&self, code: Code) -> bool {
        let precision = |patterns: &[CodePattern]| {
            let matching = patterns.iter().filter(|pattern| pattern.matches(code));
            matching.map(CodePattern::precision).max()
        };
        match (precision(&self.select), precision(&self.ignore)) {
            (None, _) if !self.select.is_empty() || ON_REQUEST.contains(&code) => false,
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(selected), Some(ignored)) => selected > ignored,
        }
    }
}

impl Selection {
    /// Returns `true` when `--select` contains a code, by itself or in a range.
    pub fn asks_for(&self, code: Code) -> bool {
        !self.select.is_empty() && self.names(code)
    }
}

impl Diagnostic {
    /// Returns `true` when a range of codes may hide the diagnostic. An error of FW00 to FW08 means that the output
    /// would be wrong: only its full code hides it. Errors about resource types are excepted, since the known schemas
    /// may be older than the types: the output may be right.
    pub fn can_be_silenced(&self) -> bool {
        let is_of_types = (codes::UNKNOWN_PROPERTY..=codes::UNKNOWN_TYPE).contains(&self.code)
            || self.code == codes::NO_SUCH_ATTRIBUTE;
        self.severity != Severity::Error || is_of_types || !self.code.is_of_output()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admits(select: &[&str], ignore: &[&str], diagnostic: &Diagnostic) -> bool {
        admits_for(true, select, ignore, diagnostic)
    }

    fn admits_for(leaves_out_errors: bool, select: &[&str], ignore: &[&str], diagnostic: &Diagnostic) -> bool {
        let patterns = |texts: &[&str]| texts.iter().filter_map(|text| CodePattern::parse(text)).collect();
        Selection { select: patterns(select), ignore: patterns(ignore) }.admits(diagnostic, leaves_out_errors)
    }

    #[test]
    fn errors_of_resource_types_can_be_silenced() {
        assert!(!admits_for(false, &[], &["FW01"], &Diagnostic::new(codes::UNKNOWN_PROPERTY, "")));
        assert!(admits_for(false, &[], &["FW01"], &Diagnostic::new(codes::NO_TYPE, "")));
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
    fn an_error_that_is_named_in_full_is_not_reported() {
        let error = Diagnostic::new(codes::PLACEHOLDER_LITERAL, "").severity(Severity::Error);
        assert!(!admits(&[], &["FW0307"], &error));
        assert!(!admits(&["FW03"], &["FW0307"], &error));
        assert!(!admits(&["FW0307"], &["FW0307"], &error));
        assert!(!admits(&["FW02"], &["FW0307"], &error));
        assert!(admits_for(false, &[], &["FW0307"], &error), "there is an output");
    }

    #[test]
    fn some_advice_is_printed_on_request() {
        let note = Diagnostic::new(codes::PLAIN_JOIN, "").severity(Severity::Note);
        assert!(!admits(&[], &[], &note));
        assert!(admits(&["FW0409"], &[], &note));
        assert!(admits(&["FW04"], &[], &note));
        assert!(!admits(&["FW03"], &[], &note));
    }

    #[test]
    fn errors_that_leave_no_output_stay() {
        let error = Diagnostic::new(codes::PLACEHOLDER_LITERAL, "").severity(Severity::Error);
        assert!(admits(&["FW09"], &["FW"], &error));
        assert!(admits(&["FW0408"], &["FW03", "FW030x", "FW0306"], &error));
        let quota = Diagnostic::new(codes::QUOTA_RESOURCES, "").severity(Severity::Error);
        assert!(!admits(&[], &["FW09"], &quota));
    }
}
