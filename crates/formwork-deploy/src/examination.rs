//! What CloudFormation's own checks report: early validation and hooks.

use crate::hook::HookFinding;
use crate::unavailable::Unavailable;
use crate::validation::Finding;

/// What early validation and hooks report about a change set or an operation.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[non_exhaustive]
pub struct Examination {
    /// Whether the change set or the operation failed.
    pub has_failed: bool,
    /// What early validation found, in the order of CloudFormation.
    pub findings: Vec<Finding>,
    /// The hooks that reject it, or warn of it.
    pub hooks: Vec<HookFinding>,
    /// Calls that were not answered, each once, with the reason.
    pub unavailable: Vec<(&'static str, Unavailable)>,
}

impl Examination {
    /// How many validations failed.
    pub fn validation_errors(&self) -> usize {
        self.findings.iter().filter(|finding| finding.fails(self.has_failed)).count()
    }

    /// How many hooks failed.
    pub fn hook_errors(&self) -> usize {
        self.hooks.iter().filter(|hook| hook.fails(self.has_failed)).count()
    }

    /// How many validations and hooks warn.
    pub fn warnings(&self) -> usize {
        let skipped = self.findings.iter().filter(|finding| finding.is_skipped()).count();
        self.findings.len() - skipped - self.validation_errors() + self.hooks.len() - self.hook_errors()
    }

    /// Whether a validation or a hook failed.
    pub fn has_errors(&self) -> bool {
        self.validation_errors() + self.hook_errors() > 0
    }

    /// Adds a call that was not answered.
    pub(crate) fn lacks(&mut self, call: &'static str, why: Unavailable) {
        if !self.unavailable.iter().any(|(known, _)| *known == call) {
            self.unavailable.push((call, why));
        }
    }

    /// Adds what was found later.
    pub(crate) fn append(&mut self, later: Examination) {
        self.has_failed |= later.has_failed;
        self.findings.extend(later.findings);
        self.hooks.extend(later.hooks);
        for (call, why) in later.unavailable {
            self.lacks(call, why);
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
