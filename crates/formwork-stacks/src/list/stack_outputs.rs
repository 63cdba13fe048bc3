//! Implements `formwork list stack-outputs`.

use formwork_project::Failure;
use formwork_report::{Notice, printable};
use formwork_run::Status;
use serde_json::{Value, json};

use super::{cell, print};
use crate::around::on_stack;
use crate::outputs::OutputsChoices;

const HEAD: [&str; 3] = ["OutputKey", "OutputValue", "Description"];

/// Prints the outputs of a stack with their descriptions.
///
/// # Errors
/// When the choices are invalid, or standard output cannot be written.
pub fn run(args: &OutputsChoices) -> Result<Status, Failure> {
    on_stack("list_stack_outputs", args.stack.as_deref(), (&args.account, &args.report), |stack, reporter| {
        if stack.outputs.is_empty() {
            reporter.print(&Notice::note(format!("stack {} has no outputs", printable(&stack.name))), None);
        }
        let row = |(name, value, description): &(String, String, Option<String>)| {
            [name.clone(), value.clone(), cell(description.as_deref())]
        };
        let rows: Vec<[String; 3]> = stack.outputs.iter().map(row).collect();
        print(args.is_json, HEAD, &rows, stack.outputs.iter().map(object).collect())?;
        Ok(Status::Done)
    })
}

fn object((name, value, description): &(String, String, Option<String>)) -> Value {
    json!({"OutputKey": name, "OutputValue": value, "Description": description.as_deref().unwrap_or_default()})
}
