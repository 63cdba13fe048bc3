//! `formwork check`

use formwork::{Compiler, Stage, Values};

use crate::args::CheckArgs;
use crate::report::Reporter;
use crate::{Status, inputs};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, String> {
    if let Some(code) = &args.explain {
        return super::explain_code::run(code);
    }
    let mut reporter = Reporter::new(&args.report);
    for template in &args.template {
        let input = inputs::read(template, "check", Values::Resolve, &args.inputs, &args.report)?;
        let result = Compiler::new(&input.host, input.options).compile_bytes(input.path, input.bytes, Stage::Check);
        reporter.print(&result);
    }
    reporter.finish("");
    Ok(if reporter.has_errors() { Status::Errors } else { Status::Done })
}
