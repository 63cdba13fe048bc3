//! `formwork resolve`

use formwork::{Goal, Values};

use super::template::{Work, run as run_on};
use crate::Status;
use crate::args::ResolveArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &ResolveArgs) -> Result<Status, Failure> {
    let ResolveArgs { exclude, inputs, output, report, .. } = args;
    let (goal, values) = (Goal::Resolve, Values::Resolve);
    let (merges, only_templates) = (false, false);
    let work = Work { command: "resolve", goal, values, merges, only_templates, exclude, inputs, output, report };
    run_on(&args.template, &work)
}
