//! Lists of stacks and of their parts (reference/around.md#list).

#[cfg(feature = "local")]
pub mod endpoints;
pub mod resources;
pub mod stack_outputs;
pub mod stacks;

use formwork_console::ReportChoices;
use formwork_console::terminal::{self, Form};
use serde_json::Value;

use crate::around::{AccountChoices, LinesChoices, table};

/// Selects the stacks to list.
#[derive(Clone, Debug)]
pub struct ListStacksChoices {
    /// Includes deleted stacks.
    pub all: bool,
    /// Includes nested stacks.
    pub nested: bool,
    /// Prints JSON.
    pub is_json: bool,
    /// The account and Region.
    pub account: AccountChoices,
    /// The form of the output.
    pub report: ReportChoices,
}

/// Selects the stack or template whose parts are listed.
#[derive(Clone, Debug)]
pub struct ListChoices {
    /// Name or ARN of the stack.
    pub stack: Option<String>,
    /// Prints JSON.
    pub is_json: bool,
    /// The template and the account.
    pub lines: LinesChoices,
    /// The form of the output.
    pub report: ReportChoices,
}

/// Prints a list: a table, nothing without rows, or JSON.
fn print<const N: usize>(
    is_json: bool,
    head: [&str; N],
    rows: &[[String; N]],
    objects: Vec<Value>,
) -> Result<(), String> {
    if is_json {
        return terminal::print(&format!("{:#}\n", Value::from(objects)), Form::Json);
    }
    if rows.is_empty() {
        return Ok(());
    }
    terminal::print(&table(head, rows), Form::Plain)
}

fn cell(value: Option<&str>) -> String {
    value.filter(|value| !value.is_empty()).unwrap_or("-").to_owned()
}
