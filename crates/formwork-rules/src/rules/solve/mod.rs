//! Looking for values: sets of them that satisfy a rule and that violate it, and truth tables.
//!
//! Each parameter that matters has a [`Domain`] of values to try: `AllowedValues`, the account's
//! values, literals of the rules, the Default, one value that is none of these. The search assigns
//! one parameter after the other and leaves the rest unknown: three-valued evaluation shows early
//! when nothing can come of it. The result for a domain is exact; a domain need not be everything.

mod domain;
mod search;
mod table;

use formwork_base::Cancellation;
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

/// What is shown in the place of the value of a `NoEcho` parameter.
const SECRET: &str = "****";

/// What a search runs on.
#[derive(Clone, Copy)]
pub struct Problem<'p> {
    /// The rules.
    pub rules: &'p RuleSet,
    /// The tree.
    pub tree: &'p Tree,
    /// The template.
    pub template: &'p Template,
    /// Values of parameters and pseudo parameters: those passed are fixed.
    pub table: &'p ParameterTable,
    /// Account data.
    pub facts: &'p AccountData,
    /// How rules are evaluated.
    pub settings: Settings,
    /// Whether anybody still waits for the answer: what is found when nobody does is not one.
    pub cancellation: &'p Cancellation,
}

/// The values that are tried for a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Domain {
    /// The name of the domain.
    pub name: String,
    /// The values as they would be passed, in the order in which they are tried.
    pub values: Vec<String>,
    /// Whether these are all values that the parameter takes.
    pub is_complete: bool,
    /// Whether the values must not be shown.
    pub is_secret: bool,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// Values, by name, and what then becomes of the rule.
    Values(Vec<(String, String)>, RuleResult),
    /// They do not exist among the values tried.
    Nothing,
    /// It is not certain: it depends on what is not known.
    Unknown(Reasons),
    /// The search was stopped.
    GivenUp,
}

/// Values for a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSolution {
    /// The name of the rule.
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
    /// Values for which all rules hold, when all of them were asked for.
    pub all: Option<Found>,
    /// Each rule by itself.
    pub rules: Vec<RuleSolution>,
}

/// Looks for values that satisfy and that violate one rule, or each of them.
///
/// # Errors
/// When there is no rule of that name: the names that there are.
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

/// The outcomes of one rule, or of all of them, over all values of the parameters that matter.
///
/// # Errors
/// When there is no rule of that name: the names that there are.
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

/// A parameter and the values to try.
pub(crate) struct Variable {
    pub(crate) symbol: Symbol,
    pub(crate) domain: Domain,
}

fn shown(variables: &[Variable]) -> Vec<Domain> {
    variables
        .iter()
        .map(|variable| {
            let domain = &variable.domain;
            let values = if domain.is_secret { vec![SECRET.to_owned()] } else { domain.values.clone() };
            Domain { values, ..domain.clone() }
        })
        .collect()
}

/// A value of a variable, as it may be shown.
fn shown_value(variable: &Variable, at: usize) -> String {
    if variable.domain.is_secret { SECRET.to_owned() } else { variable.domain.values[at].clone() }
}

/// Whether the reading turns `Fn::ValueOfAll` into a question about parameters.
fn reads_parameters(settings: Settings) -> bool {
    settings.value_of_all == ValueOfAll::Parameters
}
