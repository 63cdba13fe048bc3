//! `formwork resolve`

use formwork::{Stage, Values};

use crate::Status;
use crate::args::ResolveArgs;
use crate::failure::Failure;

pub(crate) fn run(args: &ResolveArgs) -> Result<Status, Failure> {
    super::template::run(
        &args.template,
        "resolve",
        Stage::Resolve,
        Values::Resolve,
        &args.inputs,
        &args.output,
        &args.report,
    )
}
