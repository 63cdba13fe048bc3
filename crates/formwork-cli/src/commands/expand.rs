//! `formwork expand`

use formwork::Goal;

use super::template::{Work, run as run_on};
use crate::Status;
use crate::args::ExpandArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &ExpandArgs) -> Result<Status, Failure> {
    let ExpandArgs { values, merge, only_templates, exclude, inputs, output, report, .. } = args;
    run_on(
        &args.template,
        &Work {
            command: "expand",
            goal: Goal::Expand,
            values: *values,
            merges: *merge,
            only_templates: *only_templates,
            exclude,
            inputs,
            output,
            report,
        },
    )
}
