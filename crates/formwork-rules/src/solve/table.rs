//! Truth tables.

use formwork_base::Cancellation;

use super::{Domain, Variable, shown, shown_value};
use crate::environment::Environment;
use crate::evaluator::Evaluator;
use crate::model::Rule;
use crate::outcome::outcome;
use crate::report::RuleResult;

const ROWS: usize = 1000;

/// The outcomes of rules over the values of parameters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    /// The parameters that matter, one per column.
    pub domains: Vec<Domain>,
    /// Names of the rules, one per column.
    pub rules: Vec<String>,
    /// The rows, the last parameter changing fastest.
    pub rows: Vec<Row>,
    /// Number of rows of the whole table; more than `rows` when it was cut.
    pub total: u64,
}

/// A row of the table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// The value of each parameter.
    pub values: Vec<String>,
    /// The outcome of each rule; `None` when a value is of the wrong kind.
    pub results: Vec<Option<RuleResult>>,
}

pub(super) fn table<'e>(
    environment: &mut Environment<'e>,
    variables: &'e [Variable],
    rules: &[&Rule],
    cancellation: &Cancellation,
) -> Table {
    let sizes: Vec<u64> = variables.iter().map(|variable| variable.domain.values.len().max(1) as u64).collect();
    let total = sizes.iter().fold(1_u64, |product, size| product.saturating_mul(*size));
    let mut rows = Vec::new();
    for number in 0..total.min(ROWS as u64) {
        if cancellation.is_cancelled() {
            break;
        }
        let mut rest = number;
        let mut chosen = vec![0_usize; variables.len()];
        for (at, size) in sizes.iter().enumerate().rev() {
            chosen[at] = (rest % size) as usize;
            rest /= size;
        }
        rows.push(row(environment, variables, rules, &chosen));
    }
    Table { domains: shown(variables), rules: rules.iter().map(|rule| rule.name.clone()).collect(), rows, total }
}

fn row<'e>(environment: &mut Environment<'e>, variables: &'e [Variable], rules: &[&Rule], chosen: &[usize]) -> Row {
    let mut values = Vec::new();
    for (variable, &at) in variables.iter().zip(chosen) {
        let Some(value) = variable.domain.values.get(at) else {
            values.push(String::new());
            continue;
        };
        if let Some(parameter) = environment.template.parameter(variable.symbol) {
            environment.set(variable.symbol, environment.account.value_of_text(&parameter.kind, value));
        }
        values.push(shown_value(variable, at));
    }
    let results =
        rules.iter().map(|rule| outcome(rule, &Evaluator::new(environment)).map(|outcome| outcome.result)).collect();
    Row { values, results }
}
