//! `formwork resolve`

use formwork::{Goal, Values};

use crate::Status;
use crate::args::ResolveArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &ResolveArgs) -> Result<Status, Failure> {
    super::template::run(
        &args.template,
        "resolve",
        Goal::Resolve,
        Values::Resolve,
        &args.inputs,
        &args.output,
        &args.report,
    )
}
