//! The result of a search for values is correct: its values have the reported effect, and where it finds
//! none they do not exist.
//!
//! Holds reference/rules.md#solve.

use formwork::solve::Found;
use formwork::{Compilation, Goal, Options, RuleResult, SourceFile};

use super::{Verdict, compile, with_parameters};
use crate::generate::{RULES_ACCOUNT, RULES_DOMAINS};

/// Options with the account of random rules.
pub(super) fn with_account(options: Options) -> Options {
    let file = SourceFile {
        path: "account.json".into(),
        display: "account.json".into(),
        bytes: RULES_ACCOUNT.as_bytes().into(),
    };
    Options { accounts: vec![file], ..options }
}

/// The law for one template with random rules.
///
/// # Errors
/// In words.
pub fn solved_rules(text: &str) -> Verdict {
    let searched = compile(text, &with_account(Options::default()), Goal::Solve);
    let Some(Ok(solution)) = searched.solve(None) else { return Err(format!("no answer to\n{text}")) };
    let table = every_assignment(text)?;
    let Some(names) = table.first().map(|(_, results)| results.len()) else { return Ok(()) };
    if solution.rules.len() != names {
        return Err(format!("{} rules in the answer, {names} in the report\n{text}", solution.rules.len()));
    }
    for (at, rule) in solution.rules.iter().enumerate() {
        let possible = |wanted: RuleResult| table.iter().any(|(_, results)| results[at] == wanted);
        let satisfied = if possible(RuleResult::Pass) {
            Some(RuleResult::Pass)
        } else {
            possible(RuleResult::Skipped).then_some(RuleResult::Skipped)
        };
        agree(text, &rule.name, at, &rule.satisfied, satisfied, &table)?;
        let violated = possible(RuleResult::Fail).then_some(RuleResult::Fail);
        agree(text, &rule.name, at, &rule.violated, violated, &table)?;
    }
    let holds = |results: &Vec<RuleResult>| !results.contains(&RuleResult::Fail);
    match (&solution.all, table.iter().any(|(_, results)| holds(results))) {
        (Some(Found::Values(values, _)), true) => match find(&table, values) {
            Some(results) if holds(results) => Ok(()),
            _ => Err(format!("{values:?} do not hold all rules\n{text}")),
        },
        (Some(Found::Nothing), false) => Ok(()),
        (found, possible) => Err(format!("all rules: {found:?}, by trying: {possible}\n{text}")),
    }
}

type Assignment = Vec<(String, String)>;

/// The outcomes for every value of every parameter, each by a run of its own.
fn every_assignment(text: &str) -> Result<Vec<(Assignment, Vec<RuleResult>)>, String> {
    let mut table = Vec::new();
    let total: usize = RULES_DOMAINS.iter().map(|(_, values)| values.len()).product();
    for number in 0..total {
        let mut rest = number;
        let values: Vec<(&str, &str)> = RULES_DOMAINS
            .iter()
            .map(|(name, values)| {
                let value = values[rest % values.len()];
                rest /= values.len();
                (*name, value)
            })
            .collect();
        let result = compile(text, &with_account(with_parameters(&values)), Goal::Rules);
        let report = result.rules().ok_or_else(|| format!("no report: {}\n{text}", said(&result)))?;
        let assignment = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        table.push((assignment, report.rules.iter().map(|rule| rule.result).collect()));
    }
    Ok(table)
}

fn agree(
    text: &str,
    name: &str,
    at: usize,
    found: &Found,
    possible: Option<RuleResult>,
    table: &[(Assignment, Vec<RuleResult>)],
) -> Verdict {
    let agrees = match (found, possible) {
        (Found::Values(values, result), Some(wanted)) => {
            *result == wanted && find(table, values).is_some_and(|results| results[at] == wanted)
        }
        (Found::Nothing, None) => true,
        _ => false,
    };
    if agrees { Ok(()) } else { Err(format!("{name}: found {found:?}, by trying {possible:?}\n{text}")) }
}

/// The outcomes for values of some of the parameters: those that are not named do not matter.
fn find<'t>(table: &'t [(Assignment, Vec<RuleResult>)], values: &[(String, String)]) -> Option<&'t Vec<RuleResult>> {
    table.iter().find(|(all, _)| values.iter().all(|value| all.contains(value))).map(|(_, results)| results)
}

fn said(result: &Compilation) -> String {
    result.diagnostics().iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("; ")
}
