//! `formwork check`

use formwork::{Stage, Values};

use crate::args::CheckArgs;
use crate::live::Live;
use crate::report::Reporter;
use crate::{Status, inputs};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, String> {
    if let Some(code) = &args.explain {
        return super::explain_code::run(code);
    }
    let mut reporter = Reporter::new(&args.report);
    let mut live = Live::new(&args.inputs)?;
    for template in &args.template {
        let input = inputs::read(template, "check", Values::Resolve, &args.inputs, &args.report)?;
        let result = live.compile(input, Stage::Check, None)?;
        reporter.print(&result);
    }
    reporter.finish("");
    Ok(if reporter.has_errors() { Status::Errors } else { Status::Done })
}
