//! `formwork check`

use formwork::{Goal, Values};

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::live::Live;
use crate::report::Reporter;
use crate::{Status, inputs, nested};

pub(crate) fn run(args: &CheckArgs) -> Result<Status, Failure> {
    if let Some(code) = &args.explain {
        return super::explain_code::run(code);
    }
    let mut reporter = Reporter::new(&args.report);
    let mut live = Live::new(&args.inputs)?;
    let mut unread = false;
    for template in &args.template {
        let read = inputs::read(template, "check", Values::Resolve, &args.inputs, &args.report);
        let Some(input) = reporter.readable(read)? else {
            unread = true;
            continue;
        };
        for result in nested::compile(&mut live, &input, Goal::Check)?.1 {
            reporter.print(&result);
        }
    }
    live.write_record()?;
    reporter.finish("");
    Ok(match reporter.has_errors() {
        _ if unread => Status::Trouble,
        true => Status::Errors,
        false => Status::Done,
    })
}
