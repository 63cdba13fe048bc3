//! One JSON object a line (reference/diagnostics.md#forms).

use formwork_base::{Diagnostic, Finding};
use serde::Serialize;

use crate::{Context, Summary, machine};

#[derive(Serialize)]
struct JsonSummary {
    errors: usize,
    warnings: usize,
    notes: usize,
    files: usize,
    suppressed: usize,
    fixable: usize,
    fixed: usize,
}

/// A diagnostic as one line of JSON, which ends in a line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    line(&diagnostic.resolve(context.sources))
}

/// A finding as one line of JSON, which ends in a line break.
pub fn render_finding(finding: &Finding) -> String {
    line(finding)
}

/// The last line of a report.
pub fn summary(summary: &Summary) -> String {
    let Summary { errors, warnings, notes, files, suppressed, fixable, fixed, .. } = *summary;
    let summary = JsonSummary { errors, warnings, notes, files, suppressed, fixable, fixed };
    line(&serde_json::json!({ "summary": summary }))
}

fn line(object: &impl Serialize) -> String {
    machine(serde_json::to_string(object)) + "\n"
}
