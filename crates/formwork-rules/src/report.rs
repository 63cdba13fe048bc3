//! The outcome of each rule (reference/rules.md#report).

use formwork_base::FileId;

/// The outcomes of the rules, in the order in which they were evaluated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RulesReport {
    /// The outcome of each rule.
    pub rules: Vec<RuleReport>,
}

/// The result of a rule.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuleResult {
    /// All its assertions are true.
    Pass,
    /// An assertion is false.
    Fail,
    /// The condition is false.
    Skipped,
    /// The result depends on unknown values.
    Unknown,
}

impl RuleResult {
    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            RuleResult::Pass => "pass",
            RuleResult::Fail => "fail",
            RuleResult::Skipped => "skipped",
            RuleResult::Unknown => "unknown",
        }
    }
}

/// The outcome of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleReport {
    /// Name of the rule.
    pub name: String,
    /// Result of the rule.
    pub result: RuleResult,
    /// The template or a constraint document.
    pub source: FileId,
    /// Outcome of the condition: `true` when the rule has none, `None` when it is not known.
    pub condition: Option<bool>,
    /// Assertions in order; empty for a skipped rule.
    pub assertions: Vec<AssertionReport>,
}

/// The outcome of an assertion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AssertionReport {
    /// Index in the rule, from 0.
    pub index: usize,
    /// `Pass`, `Fail` or `Unknown`; unknown, too, when it is false and the condition is not known.
    pub result: RuleResult,
    /// Description of the assertion.
    pub description: Option<String>,
    /// Path in the document, such as `Rules.Subnets.Assertions.0`.
    pub path: String,
}
