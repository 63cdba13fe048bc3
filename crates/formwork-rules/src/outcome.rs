//! The outcome of one rule in an environment (reference/rules.md#evaluation).

use super::evaluator::Evaluator;
use super::model::Rule;
use super::report::RuleResult;
use super::value::{Reasons, Verdict};

pub(crate) struct Outcome {
    pub(crate) result: RuleResult,
    pub(crate) condition: Option<bool>,
    /// Verdict of each assertion; empty when the rule was skipped.
    pub(crate) assertions: Vec<Verdict>,
    pub(crate) reasons: Reasons,
}

/// Returns the outcome of a rule; `None` when a value is of the wrong kind.
pub(crate) fn outcome<'e: 'f, 'f>(rule: &'f Rule, evaluator: &Evaluator<'e, 'f>) -> Option<Outcome> {
    let condition = match &rule.condition {
        Some(condition) => evaluator.verdict(condition, "RuleCondition"),
        None => Some(Verdict::True),
    };
    if condition == Some(Verdict::False) {
        return Some(Outcome {
            result: RuleResult::Skipped,
            condition: Some(false),
            assertions: Vec::new(),
            reasons: Reasons::default(),
        });
    }
    let verdicts: Vec<Option<Verdict>> =
        rule.assertions.iter().map(|assertion| evaluator.verdict(&assertion.assert, "Assert")).collect();
    let (condition, verdicts) = (condition?, verdicts.into_iter().collect::<Option<Vec<_>>>()?);
    let all_true = verdicts.iter().all(|verdict| *verdict == Verdict::True);
    let mut reasons = Reasons::default();
    let known = match &condition {
        Verdict::Unknown(more) => {
            reasons.add(more);
            None
        }
        verdict => Some(*verdict == Verdict::True),
    };
    for verdict in &verdicts {
        if let Verdict::Unknown(more) = verdict {
            reasons.add(more);
        }
    }
    let result = match known {
        _ if all_true => RuleResult::Pass,
        Some(_) if verdicts.contains(&Verdict::False) => RuleResult::Fail,
        _ => RuleResult::Unknown,
    };
    Some(Outcome { result, condition: known, assertions: verdicts, reasons })
}
