//! `formwork expand`

use formwork::{Goal, Values};

use super::template::{Work, run as run_on};
use crate::Status;
use crate::args::{ExpandArgs, ValuesArg};
use crate::failure::Failure;

pub(crate) fn run(args: &ExpandArgs) -> Result<Status, Failure> {
    let values = match args.values {
        ValuesArg::Keep => Values::Keep,
        ValuesArg::Pin => Values::Pin,
        ValuesArg::All => Values::All,
    };
    let ExpandArgs { only_templates, exclude, inputs, output, report, .. } = args;
    run_on(
        &args.template,
        &Work {
            command: "expand",
            goal: Goal::Expand,
            values,
            only_templates: *only_templates,
            exclude,
            inputs,
            output,
            report,
        },
    )
}
