//! Lists of stacks and of what they have (reference/around.md#list).

#[cfg(feature = "local")]
pub mod endpoints;
pub mod resources;
pub mod stack_outputs;
pub mod stacks;

use formwork_console::ReportChoices;
use formwork_console::terminal::{self, Form};
use serde_json::Value;

use crate::around::{AccountChoices, LinesChoices, table};

/// Which stacks are listed.
#[derive(Clone, Debug)]
pub struct ListStacksChoices {
    /// Whether deleted ones are.
    pub all: bool,
    /// Whether nested ones are.
    pub nested: bool,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// The account and Region.
    pub account: AccountChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}

/// What a list of parts of a stack, or of a template, is of.
#[derive(Clone, Debug)]
pub struct ListChoices {
    /// The stack, by name or ARN.
    pub stack: Option<String>,
    /// Whether JSON is printed.
    pub is_json: bool,
    /// The template and the account.
    pub lines: LinesChoices,
    /// How the run is reported.
    pub report: ReportChoices,
}

/// Prints a list: a table, nothing without rows, or JSON.
///
/// # Errors
/// When standard output cannot be written.
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

/// A value that may be missing, in a cell.
fn cell(value: Option<&str>) -> String {
    value.filter(|value| !value.is_empty()).unwrap_or("-").to_owned()
}
