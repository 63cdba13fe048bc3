//! Implements `formwork list stack-outputs`.

use clap::Args;
use formwork_project::Failure;
use formwork_report::{Notice, printable};
use formwork_run::Status;
use formwork_run::console::{ReportArgs, ReportFormat};
use serde_json::{Value, json};

use super::printing::{cell, print};
use crate::around::{AccountArgs, StackArgs, on_stack};

const HEAD: [&str; 3] = ["OutputKey", "OutputValue", "Description"];

/// The arguments of `list stack-outputs`.
#[derive(Clone, Debug, Args)]
pub struct ListStackOutputsArgs {
    /// The stack.
    #[command(flatten)]
    pub stack: StackArgs,
    /// Print the list in this format: a table, or JSON [default: text].
    #[arg(long, visible_alias = "output", value_name = "FORMAT")]
    pub format: Option<ReportFormat>,
    /// The account and Region of the stack.
    #[command(flatten)]
    pub account: AccountArgs,
    /// Options of the report.
    #[command(flatten)]
    pub report: ReportArgs,
}

/// Prints the outputs of a stack with their descriptions.
///
/// # Errors
/// When the arguments mean nothing, or standard output cannot be written.
pub fn run(args: &ListStackOutputsArgs) -> Result<Status, Failure> {
    on_stack("list_stack_outputs", args.stack.named(), (&args.account, &args.report), |stack, reporter| {
        if stack.outputs.is_empty() {
            reporter.print(&Notice::note(format!("stack {} has no outputs", printable(&stack.name))), None);
        }
        let row = |(name, value, description): &(String, String, Option<String>)| {
            [name.clone(), value.clone(), cell(description.as_deref())]
        };
        let rows: Vec<[String; 3]> = stack.outputs.iter().map(row).collect();
        print(args.format, HEAD, &rows, stack.outputs.iter().map(object).collect())?;
        Ok(Status::Done)
    })
}

fn object((name, value, description): &(String, String, Option<String>)) -> Value {
    json!({"OutputKey": name, "OutputValue": value, "Description": description.as_deref().unwrap_or_default()})
}
