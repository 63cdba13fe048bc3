//! The outcome of each rule (reference/rules.md#report).

use formwork_base::FileId;

/// What became of the rules, in the order in which they were evaluated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RulesReport {
    /// The rules.
    pub rules: Vec<RuleReport>,
}

/// The outcome of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuleResult {
    /// All its assertions are true.
    Pass,
    /// One of its assertions is false.
    Fail,
    /// Its condition is false.
    Skipped,
    /// It depends on what is not known.
    Unknown,
}

impl RuleResult {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            RuleResult::Pass => "pass",
            RuleResult::Fail => "fail",
            RuleResult::Skipped => "skipped",
            RuleResult::Unknown => "unknown",
        }
    }
}

/// What became of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleReport {
    /// The name of the rule.
    pub name: String,
    /// The outcome of the rule.
    pub result: RuleResult,
    /// The file that holds it: the template or a constraint document.
    pub source: FileId,
    /// The condition of the rule: true when it has none, `None` when it is not known.
    pub condition: Option<bool>,
    /// Its assertions in order; none of a rule that was skipped.
    pub assertions: Vec<AssertionReport>,
}

/// What became of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssertionReport {
    /// Its number in the rule, from 0.
    pub index: usize,
    /// `Pass`, `Fail` or `Unknown`; unknown, too, when it is false and the condition is not known.
    pub result: RuleResult,
    /// The description of the assertion.
    pub description: Option<String>,
    /// Its path in its document, such as `Rules.Subnets.Assertions.0`.
    pub path: String,
}
