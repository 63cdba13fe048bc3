//! JSON objects, one per line (reference/diagnostics.md#forms).

use formwork_base::{Diagnostic, Finding};
use serde::Serialize;

use crate::{Baseline, ConfigurationUse, Context, Summary, machine};

#[derive(Serialize)]
struct JsonSummary {
    errors: usize,
    warnings: usize,
    notes: usize,
    files: usize,
    suppressed: usize,
    ignored: usize,
    fixable: usize,
    fixed: usize,
}

/// Renders a diagnostic as one line of JSON, which ends in a line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    line(&diagnostic.resolve(context.sources))
}

/// Renders a finding as one line of JSON, which ends in a line break.
pub fn render_finding(finding: &Finding) -> String {
    line(finding)
}

/// A baseline, with a function that is `true` for a file that exists.
pub type Compared<'b> = (&'b Baseline, &'b dyn Fn(&str) -> bool);

/// Renders the last line of a report: the counts, and the configuration files that affected it, and the
/// baseline, if there was one.
pub fn summary(summary: &Summary, configuration: &[ConfigurationUse], baseline: Option<Compared<'_>>) -> String {
    let Summary { errors, warnings, notes, files, suppressed, ignored, fixable, fixed, known, .. } = *summary;
    let summary = JsonSummary { errors, warnings, notes, files, suppressed, ignored, fixable, fixed };
    let mut object = serde_json::json!({ "summary": summary });
    if !configuration.is_empty() {
        object["configuration"] = serde_json::json!(configuration);
    }
    if let Some((baseline, exists)) = baseline {
        object["baseline"] = baseline.to_json(known, exists);
    }
    line(&object)
}

fn line(object: &impl Serialize) -> String {
    machine(serde_json::to_string(object)) + "\n"
}
