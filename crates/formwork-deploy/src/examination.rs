//! The results of CloudFormation's own checks: early validation and hooks.

use crate::hook::HookFinding;
use crate::unavailable::Unavailable;
use crate::validation::Finding;

/// The results of early validation and hooks for a change set or an operation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Examination {
    /// Set when the change set or the operation failed.
    pub has_failed: bool,
    /// Findings of early validation, in the order of CloudFormation.
    pub findings: Vec<Finding>,
    /// Hooks that reject it, or warn of it.
    pub hooks: Vec<HookFinding>,
    /// Calls that were not answered, each once, with the reason.
    pub unavailable: Vec<(&'static str, Unavailable)>,
}

impl Examination {
    /// Returns the number of failed validations.
    pub fn validation_errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.fails(self.has_failed)).count()
    }

    /// Returns the number of failed hooks.
    pub fn hook_errors(&self) -> usize {
        self.hooks.iter().filter(|hook| hook.fails(self.has_failed)).count()
    }

    /// Returns the number of validations and hooks that warn.
    pub fn warnings(&self) -> usize {
        let skipped = self.findings.iter().filter(|finding| finding.is_skipped()).count();
        self.findings.len() - skipped - self.validation_errors() + self.hooks.len() - self.hook_errors()
    }

    /// Returns `true` if a validation or a hook failed.
    pub fn has_errors(&self) -> bool {
        self.validation_errors() + self.hook_errors() > 0
    }

    pub(crate) fn add_unavailable(&mut self, call: &'static str, why: Unavailable) {
        if !self.unavailable.iter().any(|(known, _)| *known == call) {
            self.unavailable.push((call, why));
        }
    }

    pub(crate) fn append(&mut self, later: Examination) {
        self.has_failed |= later.has_failed;
        self.findings.extend(later.findings);
        self.hooks.extend(later.hooks);
        for (call, why) in later.unavailable {
            self.add_unavailable(call, why);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mode_decides_and_without_one_the_change_set() {
        let finding = |mode: Option<&str>, status: &str| Finding {
            mode: mode.map(str::to_owned),
            status: status.to_owned(),
            ..Finding::default()
        };
        let findings = vec![
            finding(Some("FAIL"), "FAILED"),
            finding(Some("WARN"), "FAILED"),
            finding(None, "FAILED"),
            finding(Some("FAIL"), "SKIPPED"),
        ];
        let mut all = Examination { findings, ..Examination::default() };
        assert_eq!((all.validation_errors(), all.warnings(), all.has_errors()), (1, 2, true));
        all.append(Examination { has_failed: true, ..Examination::default() });
        assert_eq!((all.validation_errors(), all.warnings()), (2, 1));
    }
}
