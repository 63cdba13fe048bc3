//! `formwork rules solve`

use formwork_report::rules;

use crate::Status;
use crate::args::RulesSearchArgs;
use crate::failure::Failure;

pub(super) fn run(args: &RulesSearchArgs) -> Result<Status, Failure> {
    let rule = args.rule.as_deref();
    let render = |found: &_, is_json| if is_json { rules::solve_json(found) } else { rules::solve_text(found) };
    super::search(&args.rules, rule, |result| result.solve(rule), render, args.format)
}
