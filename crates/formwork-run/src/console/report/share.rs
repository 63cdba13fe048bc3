//! Limits the number of diagnostics that are shown.

use formwork::Severity;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Share {
    errors: usize,
    warnings: usize,
    notes: usize,
}

impl Share {
    /// Divides a maximum among the severities: errors first, then warnings.
    pub(super) fn of(severities: impl Iterator<Item = Severity>, most: usize) -> Share {
        let mut share = Share { errors: 0, warnings: 0, notes: 0 };
        for severity in severities {
            *share.of_severity(severity) += 1;
        }
        share.errors = share.errors.min(most);
        share.warnings = share.warnings.min(most - share.errors);
        share.notes = share.notes.min(most - share.errors - share.warnings);
        share
    }

    /// Takes one from the share of a severity; `false` when it is used up.
    pub(super) fn takes(&mut self, severity: Severity) -> bool {
        let left = self.of_severity(severity);
        let takes = *left > 0;
        *left = left.saturating_sub(1);
        takes
    }

    fn of_severity(&mut self, severity: Severity) -> &mut usize {
        match severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
            Severity::Note => &mut self.notes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_shown_first_and_the_first_of_each_kind() {
        use Severity::{Error, Note, Warning};
        let found = [Note, Warning, Error, Note, Error, Warning, Warning];
        for (most, want) in [
            (0, &[][..]),
            (1, &[2]),
            (2, &[2, 4]),
            (4, &[1, 2, 4, 5]),
            (6, &[0, 1, 2, 4, 5, 6]),
            (9, &[0, 1, 2, 3, 4, 5, 6]),
        ] {
            let mut share = Share::of(found.into_iter(), most);
            let shown: Vec<usize> = (0..found.len()).filter(|&at| share.takes(found[at])).collect();
            assert_eq!(shown, want, "{most}");
        }
    }
}
