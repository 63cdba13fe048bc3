//! Implements `formwork outputs` (reference/around.md#outputs).

use clap::Args;
use formwork_deploy::Stack;
use formwork_project::Failure;
use formwork_report::{Notice, printable};
use formwork_run::Status;
use formwork_run::console::{ReportArgs, ReportFormat};
use formwork_run::terminal::{self, Form};
use serde_json::{Map, Value};

use crate::around::AccountArgs;
use crate::around::on_stack;
use crate::reporter::DeployReporter;

/// The arguments of `outputs`.
#[derive(Clone, Debug, Args)]
pub struct OutputsArgs {
    /// The stack, by name or ARN [default: the stack name in samconfig.toml].
    pub stack: Option<String>,
    /// Print the value of this output alone.
    pub name: Option<String>,
    /// The stack; the only word is then NAME.
    #[arg(long, value_name = "NAME", conflicts_with = "name")]
    pub stack_name: Option<String>,
    /// Print the outputs in this format: a line each, or one JSON object [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The account and Region of the stack.
    #[command(flatten)]
    pub account: AccountArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

impl OutputsArgs {
    /// The stack and the output that the command line names.
    pub fn named(&self) -> (Option<&str>, Option<&str>) {
        match &self.stack_name {
            Some(stack) => (Some(stack), self.stack.as_deref()),
            None => (self.stack.as_deref(), self.name.as_deref()),
        }
    }
}

/// Prints the outputs of a stack, or one of them.
///
/// # Errors
/// When no stack is named, or standard output cannot be written.
pub fn run(args: &OutputsArgs) -> Result<Status, Failure> {
    let ((named, output), is_json) = (args.named(), ReportFormat::is_json(args.format));
    on_stack("outputs", named, (&args.account, &args.report), |stack, reporter| match output {
        Some(output) => print_one(stack, output, is_json, reporter),
        None => print_all(stack, is_json, reporter),
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
