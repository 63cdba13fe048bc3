//! The baseline of a report: findings that are known are counted, and not printed (reference/diagnostics.md#baseline).

use formwork::Finding;
use formwork_report::{Baseline, Form};

use super::Reporter;
use crate::terminal::say;

impl Reporter {
    /// Passes over what a baseline has. Call it before [`Reporter::renderer`].
    #[must_use]
    pub fn with_baseline(mut self, baseline: Baseline) -> Reporter {
        self.renderer.has_baseline = true;
        self.baseline = Some(baseline);
        self
    }

    /// Returns the text of the baseline with the findings of the run; `None` without a baseline.
    pub fn baseline_text(&self) -> Option<String> {
        Some(self.baseline.as_ref()?.text(&|file| self.repository.has(file)))
    }

    /// Adds a finding that has a fingerprint to the run, and returns `true` if it is known.
    pub(super) fn is_known(&mut self, finding: &Finding) -> bool {
        let file = finding.place.file.as_deref().map(|file| self.repository.relative(file));
        let Some(baseline) = &mut self.baseline else { return false };
        let is_known = baseline.takes(finding, file.unwrap_or_default());
        self.summary.known += usize::from(is_known);
        is_known
    }

    pub(super) fn add_read(&mut self, files: &[String]) {
        if let Some(baseline) = &mut self.baseline {
            for file in files {
                baseline.add_file(self.repository.relative(file));
            }
        }
    }

    /// Returns the lines about known findings that are gone; empty with `--quiet`.
    pub(super) fn gone(&self) -> String {
        let baseline = self.baseline.as_ref().filter(|_| !self.renderer.args.quiet);
        baseline.map(|baseline| baseline.gone_lines(&|file| self.repository.has(file))).unwrap_or_default()
    }

    /// Prints these lines beside a document.
    pub(super) fn say_gone(&self) {
        say(&self.gone(), Form::Plain);
    }
}
