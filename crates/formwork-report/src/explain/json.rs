//! Renders an answer as JSON.

use formwork_base::{Frame, Span};
use formwork_provenance::explain::path;
use formwork_provenance::{Answer, LineAnswers, Source, Step};
use serde::Serialize;

use super::to_json;
use crate::Context;

#[derive(Serialize)]
struct JsonAnswer<'a> {
    formwork_explain: u32,
    path: String,
    stage: &'a str,
    status: &'a str,
    value: Option<serde_json::Value>,
    rule: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'a str>,
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
    end_line: Option<u32>,
    end_column: Option<u32>,
    authored_path: Vec<serde_json::Value>,
    frames: Vec<JsonFrame<'a>>,
    sources: Vec<JsonSource<'a>>,
    residual: Vec<JsonResidual<'a>>,
    absent: Option<JsonAbsent<'a>>,
    siblings: Vec<String>,
    siblings_total: usize,
}

#[derive(Serialize)]
struct JsonPlace<'a> {
    file: Option<&'a str>,
    line: Option<u32>,
    column: Option<u32>,
}

#[derive(Serialize)]
struct JsonFrame<'a> {
    kind: &'a str,
    name: &'a str,
    value: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<u32>,
    #[serde(rename = "loop", skip_serializing_if = "Option::is_none")]
    loop_name: Option<&'a str>,
    #[serde(flatten)]
    place: JsonPlace<'a>,
}

#[derive(Serialize)]
struct JsonSource<'a> {
    kind: &'a str,
    name: &'a str,
    value: Option<&'a str>,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    given: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonResidual<'a> {
    reason: &'a str,
    of: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    hint: &'a str,
}

#[derive(Serialize)]
struct JsonAbsent<'a> {
    reason: &'a str,
    of: &'a str,
    #[serde(flatten)]
    place: JsonPlace<'a>,
    expression: &'a str,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    instead: &'a [String],
}

/// Renders the answer for a path as an indented object that ends in a line break. `stage` is `resolve` or `expand`.
pub fn render(answer: &Answer, stage: &str, context: &Context<'_>) -> String {
    text(&object(answer, stage, context))
}

/// Renders the answers for a line of a file as one object.
pub fn render_line(found: &LineAnswers, at: &str, stage: &str, context: &Context<'_>) -> String {
    let nodes: Vec<JsonAnswer<'_>> = found.answers.iter().map(|answer| object(answer, stage, context)).collect();
    let total = found.total;
    text(&serde_json::json!({
        "formwork_explain": 1, "at": at, "stage": stage, "nodes": nodes, "nodes_total": total
    }))
}

fn text(object: &impl Serialize) -> String {
    crate::machine(serde_json::to_string_pretty(object)) + "\n"
}

fn object<'a>(answer: &'a Answer, stage: &'a str, context: &Context<'a>) -> JsonAnswer<'a> {
    let whole = context.sources.place(answer.span);
    let start = place(answer.span, context);
    JsonAnswer {
        formwork_explain: 1,
        path: path::dotted(&answer.path),
        stage,
        status: answer.status.name(),
        value: answer.value.as_ref().map(to_json),
        rule: answer.rule.map(formwork_provenance::Rule::name),
        by: answer.rule.and_then(formwork_provenance::Rule::by),
        file: start.file,
        line: start.line,
        column: start.column,
        end_line: whole.map(|place| place.end_line),
        end_column: whole.map(|place| place.end_column),
        authored_path: answer.authored_path.iter().map(step).collect(),
        frames: answer.frames.iter().map(|item| frame(item, context)).collect(),
        sources: answer.sources.iter().map(|item| source(item, context)).collect(),
        residual: answer
            .residual
            .iter()
            .map(|residual| JsonResidual {
                reason: residual.reason.name(),
                of: &residual.of,
                place: place(residual.span, context),
                hint: &residual.hint,
            })
            .collect(),
        absent: answer.absent.as_ref().map(|absent| JsonAbsent {
            reason: absent.reason.name(),
            of: &absent.of,
            place: place(absent.span, context),
            expression: &absent.expression,
            instead: &absent.instead,
        }),
        siblings: answer.siblings.iter().map(|sibling| path::dotted(sibling)).collect(),
        siblings_total: answer.siblings_total,
    }
}

fn step(step: &Step) -> serde_json::Value {
    match step {
        Step::Name(name) => name.as_str().into(),
        Step::Index(index) => (*index).into(),
    }
}

/// The start of a place; its file is relative to the directory of the template.
fn place<'a>(span: Span, context: &Context<'a>) -> JsonPlace<'a> {
    match context.sources.place(span) {
        Some(place) => JsonPlace {
            file: Some(context.sources.path(place.file).as_str()),
            line: Some(place.line),
            column: Some(place.column),
        },
        None => JsonPlace { file: None, line: None, column: None },
    }
}

fn frame<'a>(frame: &'a Frame, context: &Context<'a>) -> JsonFrame<'a> {
    JsonFrame {
        kind: frame.kind.name(),
        name: &frame.name,
        value: frame.value.as_deref(),
        index: frame.index,
        loop_name: frame.loop_name.as_deref(),
        place: place(frame.span, context),
    }
}

fn source<'a>(source: &'a Source, context: &Context<'a>) -> JsonSource<'a> {
    JsonSource {
        kind: source.kind.name(),
        name: &source.name,
        value: source.value.as_deref(),
        place: place(source.span, context),
        given: source.given.map(formwork_provenance::ValueSource::name),
    }
}
