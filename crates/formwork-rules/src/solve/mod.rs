//! Searching values: sets of them that satisfy a rule and that violate it, and truth tables.
//!
//! Each parameter that matters has a [`Domain`] of values to try: `AllowedValues`, the account's values, literals of
//! the rules, the Default, one other value. The search assigns one parameter after the other and leaves the rest
//! unknown: three-valued evaluation shows early when a branch is hopeless. The result for a domain is exact; a domain
//! need not be complete.

mod domain;
mod search;
mod table;

use formwork_base::Cancellation;
use formwork_base::display::MASK;
use formwork_evaluate::{AccountData, ParameterTable};
use formwork_syntax::{Symbol, Tree};
use formwork_template::Template;

use super::account::Account;
use super::environment::Environment;
use super::model::{Rule, RuleSet};
use super::report::RuleResult;
use super::value::Reasons;
use super::{Settings, ValueOfAll};

pub use table::{Row, Table};

/// Shown instead of the value of a `NoEcho` parameter.

/// The input of a search.
#[derive(Clone, Copy)]
pub struct Problem<'p> {
    /// The rules to satisfy or violate.
    pub rules: &'p RuleSet,
    /// The tree of the template.
    pub tree: &'p Tree,
    /// The template with the rules.
    pub template: &'p Template,
    /// Values of parameters and pseudo parameters: passed ones are fixed.
    pub table: &'p ParameterTable,
    /// Account data.
    pub facts: &'p AccountData,
    /// Settings of the evaluation.
    pub settings: Settings,
    /// Stops the search when it is cancelled: the answer is then not used.
    pub cancellation: &'p Cancellation,
}

/// The values that are tried for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// Name of the parameter.
    pub name: String,
    /// The values as they would be passed, in the order in which they are tried.
    pub values: Vec<String>,
    /// Set if these are all values that the parameter takes.
    pub is_complete: bool,
    /// Set if the values must not be shown.
    pub is_secret: bool,
}

/// The result of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Values, by name, and the result of the rule with them.
    Values(Vec<(String, String)>, RuleResult),
    /// No such values exist among those tried.
    Nothing,
    /// Not certain: it depends on unknown values.
    Unknown(Reasons),
    /// The search was stopped.
    GivenUp,
}

/// Values for a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSolution {
    /// Name of the rule.
    pub name: String,
    /// Values for which it passes; for which it is skipped, when it never passes.
    pub satisfied: Found,
    /// Values for which it fails.
    pub violated: Found,
}

/// Values for rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    /// The parameters that matter.
    pub domains: Vec<Domain>,
    /// Values for which all rules hold, if all rules were searched.
    pub all: Option<Found>,
    /// Each rule by itself.
    pub rules: Vec<RuleSolution>,
}

/// Searches values that satisfy and that violate one rule, or each of them.
///
/// # Errors
/// The names of the rules, if none has the name `rule`.
pub fn solve(problem: &Problem<'_>, rule: Option<&str>) -> Result<Solution, Vec<String>> {
    let chosen = chosen(problem.rules, rule)?;
    let account = Account::new(problem.tree, problem.facts, problem.rules);
    let variables = domain::variables(problem, &account, &chosen);
    let environment = environment(problem, &account);
    let mut search = search::Search::new(problem, &environment, &variables);
    let all = rule.is_none().then(|| search.all_hold(&chosen));
    let rules = chosen
        .iter()
        .map(|rule| RuleSolution {
            name: rule.name.clone(),
            satisfied: search.satisfying(rule),
            violated: search.violating(rule),
        })
        .collect();
    Ok(Solution { domains: shown(&variables), all, rules })
}

/// Returns the outcomes of one rule, or of all of them, over all values of the parameters that matter.
///
/// # Errors
/// The names of the rules, if none has the name `rule`.
pub fn tabulate(problem: &Problem<'_>, rule: Option<&str>) -> Result<Table, Vec<String>> {
    let chosen = chosen(problem.rules, rule)?;
    let account = Account::new(problem.tree, problem.facts, problem.rules);
    let variables = domain::variables(problem, &account, &chosen);
    let mut environment = environment(problem, &account);
    Ok(table::table(&mut environment, &variables, &chosen, problem.cancellation))
}

fn chosen<'r>(rules: &'r RuleSet, name: Option<&str>) -> Result<Vec<&'r Rule>, Vec<String>> {
    let Some(name) = name else { return Ok(rules.rules.iter().collect()) };
    match rules.rules.iter().find(|rule| rule.name == name) {
        Some(rule) => Ok(vec![rule]),
        None => Err(rules.names().map(str::to_owned).collect()),
    }
}

fn environment<'p>(problem: &Problem<'p>, account: &'p Account<'p>) -> Environment<'p> {
    Environment::new(account, problem.template, problem.table, problem.settings.value_of_all)
}

pub(crate) struct Variable {
    pub(crate) symbol: Symbol,
    pub(crate) domain: Domain,
}

fn shown(variables: &[Variable]) -> Vec<Domain> {
    variables
        .iter()
        .map(|variable| {
            let domain = &variable.domain;
            let values = if domain.is_secret { vec![MASK.to_owned()] } else { domain.values.clone() };
            Domain { values, ..domain.clone() }
        })
        .collect()
}

fn shown_value(variable: &Variable, at: usize) -> String {
    if variable.domain.is_secret { MASK.to_owned() } else { variable.domain.values[at].clone() }
}

/// Returns `true` if the setting evaluates `Fn::ValueOfAll` from parameters.
fn reads_parameters(settings: Settings) -> bool {
    settings.value_of_all == ValueOfAll::Parameters
}
