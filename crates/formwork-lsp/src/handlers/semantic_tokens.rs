//! `textDocument/semanticTokens`: full, delta and range.

use formwork_ide::tokens::{Token, tokens};
use serde_json::{Value, json};

use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure};
use crate::view::View;

pub(crate) fn full(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    let data = numbers(view, &params, None)?;
    Ok(json!({"resultId": id_of(&data), "data": data}))
}

/// What changed since an earlier answer. The earlier numbers are in its id: nothing is kept here.
pub(crate) fn delta(view: &View, params: Value) -> Answer {
    let previous = params.get("previousResultId").and_then(Value::as_str).unwrap_or_default().to_owned();
    let params: InDocument = params::read(params)?;
    let data = numbers(view, &params, None)?;
    let id = id_of(&data);
    if id == previous {
        return Ok(json!({"resultId": id, "edits": []}));
    }
    // One edit that replaces everything: the number of the old ones is the first part of their id.
    let count = previous.split('-').next().and_then(|count| count.parse::<usize>().ok());
    let Some(count) = count else { return Ok(json!({"resultId": id, "data": data})) };
    Ok(json!({"resultId": id, "edits": [{"start": 0, "deleteCount": count, "data": data}]}))
}

pub(crate) fn range(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    let range = params.range.ok_or_else(|| Failure::params("no range"))?;
    Ok(json!({"data": numbers(view, &params, Some(range))?}))
}

/// Five numbers for each token: lines and columns from the one in front, length, kind, modifiers.
fn numbers(view: &View, params: &InDocument, range: Option<params::Range>) -> Result<Vec<u32>, Failure> {
    let at = At::of(view, &params.text_document.uri)?.filter(|_| view.settings.is_on("semanticTokens"));
    let Some((at, lines)) = at.as_ref().and_then(|at| Some((at, at.lines()?))) else { return Ok(Vec::new()) };
    let wanted = range.map(|range| lines.offsets(range));
    let is_wanted = |token: &&Token| wanted.is_none_or(|(start, end)| start < token.end && token.start < end);
    let (mut data, mut line, mut column) = (Vec::new(), 0, 0);
    let found = tokens(&at.ide, &at.file);
    for token in found.iter().filter(is_wanted) {
        let start = lines.index.position(lines.text, token.start, lines.unit);
        let end = lines.index.position(lines.text, token.end, lines.unit);
        let from = if start.line == line { column } else { 0 };
        let length = end.column.saturating_sub(start.column);
        data.extend([start.line - line, start.column - from, length, token.kind as u32, token.modifiers]);
        (line, column) = (start.line, start.column);
    }
    Ok(data)
}

fn id_of(data: &[u32]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    format!("{}-{:016x}", data.len(), hasher.finish())
}
