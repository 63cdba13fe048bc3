//! Lists as tables or JSON.

use formwork_run::console::ReportFormat;
use formwork_run::terminal::{self, Form};
use serde_json::Value;

use crate::around::table;

/// Prints a list: a table, nothing without rows, or JSON.
pub(super) fn print<const N: usize>(
    format: Option<ReportFormat>,
    head: [&str; N],
    rows: &[[String; N]],
    objects: Vec<Value>,
) -> Result<(), String> {
    if ReportFormat::is_json(format) {
        return terminal::print(&format!("{:#}\n", Value::from(objects)), Form::Json);
    }
    if rows.is_empty() {
        return Ok(());
    }
    terminal::print(&table(head, rows), Form::Plain)
}

pub(super) fn cell(value: Option<&str>) -> String {
    value.filter(|value| !value.is_empty()).unwrap_or("-").to_owned()
}
