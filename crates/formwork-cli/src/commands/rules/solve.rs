//! `formwork rules solve`

use formwork::Compilation;
use formwork_report::rules;

use crate::Status;
use crate::args::RulesSearchArgs;
use crate::failure::Failure;

pub(super) fn run(args: &RulesSearchArgs) -> Result<Status, Failure> {
    let render = |found: &_, is_json| if is_json { rules::solve_json(found) } else { rules::solve_text(found) };
    super::search(args, Compilation::solve, render)
}
