//! `formwork outputs` (reference/around.md#outputs).

use formwork_deploy::Stack;
use formwork_report::{Notice, printable};
use serde_json::{Map, Value};

use super::around::on_stack;
use crate::Status;
use crate::args::{OutputsArgs, ReportFormatArg};
use crate::commands::deploy::reporter::DeployReporter;
use crate::failure::Failure;
use crate::terminal::{self, Form};

/// Prints the outputs of a stack, or one of them.
///
/// # Errors
/// When no stack is named, or standard output cannot be written.
pub(crate) fn run(args: &OutputsArgs) -> Result<Status, Failure> {
    let (stack, output) = args.named();
    on_stack("outputs", stack, (&args.account, &args.report), |stack, reporter| match output {
        Some(output) => print_one(stack, output, args.format, reporter),
        None => print_all(stack, args.format, reporter),
    })
}

fn print_all(
    stack: &Stack,
    format: Option<ReportFormatArg>,
    reporter: &mut DeployReporter<'_, '_>,
) -> Result<Status, Failure> {
    if stack.outputs.is_empty() {
        reporter.print(&Notice::note(format!("stack {} has no outputs", printable(&stack.name))), None);
    }
    if format == Some(ReportFormatArg::Json) {
        let outputs = stack.outputs.iter().map(|(name, value, _)| (name.clone(), Value::from(value.clone())));
        let outputs: Map<String, Value> = outputs.collect();
        terminal::print(&format!("{:#}\n", Value::from(outputs)), Form::Json)?;
        return Ok(Status::Done);
    }
    let width = stack.outputs.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0);
    let line = |name: &str, value: &str| format!("{:width$}  {}\n", printable(name), printable(value));
    let lines: String = stack.outputs.iter().map(|(name, value, _)| line(name, value)).collect();
    terminal::print(&lines, Form::Plain)?;
    Ok(Status::Done)
}

fn print_one(
    stack: &Stack,
    output: &str,
    format: Option<ReportFormatArg>,
    reporter: &mut DeployReporter<'_, '_>,
) -> Result<Status, Failure> {
    let Some((_, value, _)) = stack.outputs.iter().find(|(name, ..)| name == output) else {
        reporter.print(&unknown(stack, output), None);
        return Ok(Status::Errors);
    };
    if format == Some(ReportFormatArg::Json) {
        terminal::print(&format!("{}\n", Value::from(value.clone())), Form::Json)?;
    } else {
        terminal::print(&format!("{}\n", printable(value)), Form::Plain)?;
    }
    Ok(Status::Done)
}

/// That a stack does not have an output, and those that it has.
fn unknown(stack: &Stack, output: &str) -> Notice {
    let names: Vec<_> = stack.outputs.iter().map(|(name, ..)| printable(name)).collect();
    let notice = Notice::error(format!("stack {} has no output {}", printable(&stack.name), printable(output)));
    if names.is_empty() { notice.because("it has none") } else { notice.help(format!("use {}", names.join(", "))) }
}
