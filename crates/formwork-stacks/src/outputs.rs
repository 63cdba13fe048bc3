//! Implements `formwork outputs` (reference/around.md#outputs).

use formwork_console::ReportChoices;
use formwork_console::terminal::{self, Form};
use formwork_deploy::Stack;
use formwork_project::Failure;
use formwork_report::{Notice, printable};
use formwork_run::Status;
use serde_json::{Map, Value};

use crate::around::AccountChoices;
use crate::around::on_stack;
use crate::reporter::DeployReporter;

/// Selects the outputs of a stack.
#[derive(Clone, Debug)]
pub struct OutputsChoices {
    /// Name or ARN of the stack.
    pub stack: Option<String>,
    /// The only output to print.
    pub output: Option<String>,
    /// Prints JSON.
    pub is_json: bool,
    /// The account of the stack.
    pub account: AccountChoices,
    /// The form of the output.
    pub report: ReportChoices,
}

/// Prints the outputs of a stack, or one of them.
///
/// # Errors
/// When no stack is named, or standard output cannot be written.
pub fn run(args: &OutputsChoices) -> Result<Status, Failure> {
    on_stack("outputs", args.stack.as_deref(), (&args.account, &args.report), |stack, reporter| {
        match args.output.as_deref() {
            Some(output) => print_one(stack, output, args.is_json, reporter),
            None => print_all(stack, args.is_json, reporter),
        }
    })
}

fn print_all(stack: &Stack, is_json: bool, reporter: &mut DeployReporter<'_>) -> Result<Status, Failure> {
    if stack.outputs.is_empty() {
        reporter.print(&Notice::note(format!("stack {} has no outputs", printable(&stack.name))), None);
    }
    if is_json {
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

fn print_one(stack: &Stack, output: &str, is_json: bool, reporter: &mut DeployReporter<'_>) -> Result<Status, Failure> {
    let Some((_, value, _)) = stack.outputs.iter().find(|(name, ..)| name == output) else {
        reporter.print(&unknown(stack, output), None);
        return Ok(Status::Errors);
    };
    if is_json {
        terminal::print(&format!("{}\n", Value::from(value.clone())), Form::Json)?;
    } else {
        terminal::print(&format!("{}\n", printable(value)), Form::Plain)?;
    }
    Ok(Status::Done)
}

fn unknown(stack: &Stack, output: &str) -> Notice {
    let names: Vec<_> = stack.outputs.iter().map(|(name, ..)| printable(name)).collect();
    let notice = Notice::error(format!("stack {} has no output {}", printable(&stack.name), printable(output)));
    if names.is_empty() { notice.because("it has none") } else { notice.help(format!("use {}", names.join(", "))) }
}
