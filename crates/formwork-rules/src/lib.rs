//! The Rules section: ten functions, three-valued evaluation, a report of every assertion (reference/rules.md).
//!
//! [`read`] converts documents to a [`RuleSet`] and reports all their errors; [`evaluate`] returns the outcomes for the
//! values of a run; [`solve`] searches values.
//!
//! A document's rules are read once into small expressions, with every error of their layout, and then evaluated against
//! an `Environment`: the values of names. Values are strings, lists, absent (a missing attribute) or unknown with its
//! reasons; conditions have three values. One rule function is one file in `functions`, with its reading and its
//! evaluation. [`solve`] evaluates the same expressions with some of the names unknown, which prunes the search.

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
pub mod unsupported;
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

/// Limit of elements of account lists that the rules of a run may look at together: a second or two.
const MOST_WORK: usize = 50_000_000;

/// The values that `Fn::ValueOfAll` uses (reference/rules.md#value-of-all).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ValueOfAll {
    /// All values of the type in the account and Region.
    #[default]
    Account,
    /// The values passed to this template's parameters of the type.
    Parameters,
}

/// Settings of the evaluation of rules.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The values that `Fn::ValueOfAll` uses.
    pub value_of_all: ValueOfAll,
    /// Severity of an unknown rule; `None` to report nothing.
    pub unknown: Option<Severity>,
    /// Set if values of parameters matter: without a passed value, a check only notes violations by the Defaults, and
    /// does not report rules that need more.
    pub judges_values: bool,
    /// Set to judge a rule that uses only Defaults like one with passed values; otherwise a note reports its
    /// violations.
    pub judges_defaults: bool,
    /// Set to report that a rule needs account data: without any, a check does not.
    pub judges_account: bool,
}

/// Evaluates rules with the values of a run. `None` when a value of the wrong kind stops the evaluation; then it is
/// reported.
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
