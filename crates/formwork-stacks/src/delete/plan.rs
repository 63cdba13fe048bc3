//! Prints what a deletion would delete, as a table.

use formwork_deploy::{Fate, StackResource};
use formwork_report::printable;
use serde_json::{Value, json};

use super::observer::DeletePrinter;
use crate::account_of;
use crate::reporter::Color;

const HEAD: [&str; 4] = ["Operation", "LogicalResourceId", "ResourceType", "PhysicalResourceId"];

/// Prints the resources of the stack, one per line. A line with `!` loses data.
pub fn show(stack_id: &str, resources: &[StackResource], printer: &DeletePrinter<'_, '_>) {
    let reporter = &printer.reporter;
    if !reporter.is_for_people() {
        for resource in resources {
            reporter.line("", || json!({"resource": object(resource)}));
        }
        return;
    }
    let account = account_of(stack_id).map_or_else(String::new, |id| format!(", account {id}"));
    let (name, region) = (printer.stack_name, &printer.region);
    if resources.is_empty() {
        reporter.print_line(&format!("Stack {name} in {region}{account} has no resources"));
        return;
    }
    reporter.print_line(&format!("Stack {name} in {region}{account}:"));
    let rows: Vec<[String; 4]> = resources.iter().map(row).collect();
    let mut widths = HEAD.map(str::len);
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: [&str; 4]| {
        let padded = cells.iter().zip(widths).map(|(cell, width)| format!("{cell:width$}"));
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    reporter.print_line(&format!("  {}", reporter.paint(&line(HEAD), Color::Dim)));
    for (resource, row) in resources.iter().zip(&rows) {
        let color = match resource.fate {
            Fate::Kept | Fate::Retained => Color::Green,
            _ if resource.loses_data() => Color::Red,
            _ => Color::Yellow,
        };
        let text = reporter.paint(&line(row.each_ref().map(String::as_str)), color);
        // A mark shows data loss without colours, too.
        let mark = if resource.loses_data() { "! " } else { "  " };
        reporter.print_line(&format!("{mark}{text}"));
    }
    reporter.print_line("");
}

/// Prints the uploaded files that are deleted after the stack.
pub fn show_artifacts(bucket: &str, keys: &[String], printer: &DeletePrinter<'_, '_>) {
    let reporter = &printer.reporter;
    if keys.is_empty() {
        reporter.print_line(&format!("No uploaded file of the stack is in bucket {bucket}"));
        return;
    }
    reporter.print_line(&format!("Uploaded files in bucket {bucket}, also when other stacks use them:"));
    for key in keys {
        reporter.print_line(&format!("  {}", reporter.paint(&format!("- Delete  {}", printable(key)), Color::Yellow)));
    }
    reporter.print_line("");
}

fn row(resource: &StackResource) -> [String; 4] {
    let operation = match resource.fate {
        Fate::Deleted => "- Delete",
        Fate::Snapshot => "- Delete (snapshot)",
        Fate::Kept => "= Keep (DeletionPolicy)",
        Fate::Retained => "= Keep (retained)",
    };
    [
        operation.to_owned(),
        printable(&resource.path()).into_owned(),
        printable(&resource.kind).into_owned(),
        printable(&resource.physical_id).into_owned(),
    ]
}

/// Returns a resource as JSON.
pub fn object(resource: &StackResource) -> Value {
    let fate = match resource.fate {
        Fate::Deleted => "delete",
        Fate::Snapshot => "snapshot",
        Fate::Kept => "keep",
        Fate::Retained => "retain",
    };
    json!({
        "path": resource.within,
        "logical_id": resource.logical_id,
        "physical_id": resource.physical_id,
        "type": resource.kind,
        "action": fate,
        "loses_data": resource.loses_data(),
    })
}
