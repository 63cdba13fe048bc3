//! One JSON object a line (reference/diagnostics.md#forms).

use formwork_base::{Diagnostic, Frame, Label, Span};
use serde::Serialize;

use crate::credentials::{self, masked};
use crate::{Context, Summary, machine};

#[derive(Serialize)]
struct JsonDiagnostic<'d> {
    code: String,
    severity: &'d str,
    message: &'d str,
    #[serde(flatten)]
    place: JsonPlace,
    path: Option<&'d str>,
    frames: Vec<JsonFrame<'d>>,
    notes: Vec<&'d str>,
    help: &'d [String],
    fix: Option<JsonFix<'d>>,
    related: Vec<JsonRelated<'d>>,
    count: u32,
    url: String,
}

#[derive(Serialize)]
struct JsonPlace {
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
}

#[derive(Serialize)]
struct JsonFrame<'d> {
    kind: &'d str,
    name: &'d str,
    value: Option<&'d str>,
    index: Option<u32>,
    #[serde(rename = "loop")]
    loop_name: Option<&'d str>,
    file: Option<String>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize)]
struct JsonRelated<'d> {
    message: &'d str,
    #[serde(flatten)]
    place: JsonPlace,
}

#[derive(Serialize)]
struct JsonFix<'d> {
    message: &'d str,
    edits: Vec<JsonEdit<'d>>,
}

#[derive(Serialize)]
struct JsonEdit<'d> {
    #[serde(flatten)]
    place: JsonPlace,
    text: &'d str,
}

#[derive(Serialize)]
struct JsonSummary {
    errors: usize,
    warnings: usize,
    notes: usize,
    files: usize,
    suppressed: usize,
}

/// A diagnostic as one line of JSON, which ends in a line break.
pub fn render(diagnostic: &Diagnostic, context: &Context<'_>) -> String {
    let diagnostic = &*masked(diagnostic);
    let primary = diagnostic.primary.as_ref().map_or(Span::NONE, |label| label.span);
    let object = JsonDiagnostic {
        code: diagnostic.code.to_string(),
        severity: diagnostic.severity.name(),
        message: &diagnostic.message,
        place: place(primary, context),
        path: diagnostic.path.as_deref(),
        frames: diagnostic.frames.iter().map(|item| frame(item, context)).collect(),
        notes: diagnostic.notes.iter().map(String::as_str).collect(),
        help: &diagnostic.help,
        fix: diagnostic.fix.as_ref().map(|fix| JsonFix {
            message: &fix.message,
            edits: fix.edits.iter().map(|(span, text)| JsonEdit { place: place(*span, context), text }).collect(),
        }),
        related: diagnostic.related.iter().map(|label| related(label, context)).collect(),
        count: diagnostic.count,
        url: diagnostic.code.url(),
    };
    line(&object)
}

/// The last line of a report.
pub fn summary(summary: &Summary) -> String {
    let Summary { errors, warnings, notes, files } = *summary;
    line(&serde_json::json!({ "summary": JsonSummary { errors, warnings, notes, files, suppressed: 0 } }))
}

fn line(object: &impl Serialize) -> String {
    machine(serde_json::to_string(object)) + "\n"
}

fn place(span: Span, context: &Context<'_>) -> JsonPlace {
    match context.sources.place(span) {
        Some(place) => JsonPlace {
            file: Some(credentials::path(place.file, context).into_owned()),
            line: Some(place.line),
            column: Some(place.column),
            end_line: Some(place.end_line),
            end_column: Some(place.end_column),
        },
        None => JsonPlace { file: None, line: None, column: None, end_line: None, end_column: None },
    }
}

fn frame<'d>(frame: &'d Frame, context: &Context<'_>) -> JsonFrame<'d> {
    let place = place(frame.span, context);
    JsonFrame {
        kind: frame.kind.name(),
        name: &frame.name,
        value: frame.value.as_deref(),
        index: frame.index,
        loop_name: frame.loop_name.as_deref(),
        file: place.file,
        line: place.line,
        column: place.column,
    }
}

fn related<'d>(label: &'d Label, context: &Context<'_>) -> JsonRelated<'d> {
    JsonRelated { message: &label.text, place: place(label.span, context) }
}
