//! `formwork rules table`

use formwork::Compilation;
use formwork_report::rules;

use crate::Status;
use crate::args::RulesSearchArgs;
use crate::failure::Failure;

pub(super) fn run(args: &RulesSearchArgs) -> Result<Status, Failure> {
    let render = |found: &_, is_json| if is_json { rules::table_json(found) } else { rules::table_text(found) };
    super::search(args, Compilation::tabulate, render)
}
