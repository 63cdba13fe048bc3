//! `formwork list` (reference/around.md#list).

#[cfg(feature = "local")]
mod endpoints;
mod resources;
mod stack_outputs;
mod stacks;

use serde_json::Value;

use crate::Status;
use crate::args::{ListCommand, ReportFormatArg};
use crate::commands::around::table;
use crate::failure::Failure;
use crate::terminal::{self, Form};

/// Prints what is wanted.
///
/// # Errors
/// When the arguments mean nothing, or standard output cannot be written.
pub(crate) fn run(command: &ListCommand) -> Result<Status, Failure> {
    match command {
        ListCommand::Stacks(args) => stacks::run(args),
        ListCommand::Resources(args) => resources::run(args),
        #[cfg(feature = "local")]
        ListCommand::Endpoints(args) => endpoints::run(args),
        ListCommand::StackOutputs(args) => stack_outputs::run(args),
    }
}

/// Prints a list: a table, nothing without rows, or JSON.
///
/// # Errors
/// When standard output cannot be written.
fn print<const N: usize>(
    format: Option<ReportFormatArg>,
    head: [&str; N],
    rows: &[[String; N]],
    objects: Vec<Value>,
) -> Result<(), String> {
    if format == Some(ReportFormatArg::Json) {
        return terminal::print(&format!("{:#}\n", Value::from(objects)), Form::Json);
    }
    if rows.is_empty() {
        return Ok(());
    }
    terminal::print(&table(head, rows), Form::Plain)
}

/// A value that may be missing, in a cell.
fn cell(value: Option<&str>) -> String {
    value.filter(|value| !value.is_empty()).unwrap_or("-").to_owned()
}
