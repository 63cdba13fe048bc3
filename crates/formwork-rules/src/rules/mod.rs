//! The Rules section: ten functions, three-valued evaluation, a report of every assertion
//! (reference/rules.md).
//!
//! [`read`] turns documents into a [`RuleSet`] and reports everything that is wrong with them;
//! [`evaluate`] returns the outcomes for the values of a run; [`solve`] looks for values.

mod account;
mod attribute;
mod documents;
mod environment;
mod evaluate;
mod evaluator;
mod expression;
mod functions;
mod model;
mod outcome;
mod reader;
mod render;
mod report;
pub mod solve;
pub(crate) mod unsupported;
mod value;
mod warnings;

use formwork_base::{Diagnostic, Diagnostics, Severity, codes};
use formwork_evaluate::{AccountData, ParameterTable};
use formwork_syntax::Tree;
use formwork_template::Template;

pub use documents::read;
pub use model::RuleSet;
pub use report::{AssertionReport, RuleReport, RuleResult, RulesReport};
pub use value::{Reason, Reasons};

/// Most elements of lists of the account that the rules of a run may look at together: a second or
/// two.
const MOST_WORK: usize = 50_000_000;

/// What `Fn::ValueOfAll` looks at (reference/rules.md#value-of-all).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ValueOfAll {
    /// All values of the type in the account and Region.
    #[default]
    Account,
    /// The values passed to this template's parameters of the type.
    Parameters,
}

/// How rules are evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// What `Fn::ValueOfAll` looks at.
    pub value_of_all: ValueOfAll,
    /// How bad it is when a rule is unknown; `None` when it is not worth a word.
    pub unknown: Option<Severity>,
    /// Whether values of parameters matter: without one that was passed, a check only notes what the Defaults violate,
    /// and reports no rule that needs more than they are.
    pub judges_values: bool,
    /// Whether a rule that looks at Defaults alone is judged like one that looks at values which were passed; without it, a
    /// note reports what they violate.
    pub judges_defaults: bool,
    /// Whether it is reported that a rule needs account data: without any, a check does not.
    pub judges_account: bool,
}

/// Evaluates rules with the values of a run. `None` when a value of the wrong kind stops the
/// evaluation; then it is reported.
pub fn evaluate(
    rules: &RuleSet,
    tree: &Tree,
    template: &Template,
    table: &ParameterTable,
    facts: &AccountData,
    settings: Settings,
    diagnostics: &mut Diagnostics,
) -> Option<RulesReport> {
    let account = account::Account::new(tree, facts, rules);
    if account.work(rules) > MOST_WORK {
        diagnostics.push(
            Diagnostic::new(
                codes::LIMIT,
                format!("the rules read more than {MOST_WORK} values of the account: a limit is exceeded"),
            )
            .help("pass account data with fewer values"),
        );
        return None;
    }
    evaluate::evaluate(rules, &account, template, table, settings, diagnostics)
}
