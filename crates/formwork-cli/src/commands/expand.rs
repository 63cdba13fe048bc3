//! `formwork expand`

use formwork::{Goal, Values};

use crate::Status;
use crate::args::{ExpandArgs, ValuesArg};
use crate::failure::Failure;

pub(crate) fn run(args: &ExpandArgs) -> Result<Status, Failure> {
    let values = match args.values {
        ValuesArg::Keep => Values::Keep,
        ValuesArg::Pin => Values::Pin,
        ValuesArg::All => Values::All,
    };
    super::template::run(&args.template, "expand", Goal::Expand, values, &args.inputs, &args.output, &args.report)
}
