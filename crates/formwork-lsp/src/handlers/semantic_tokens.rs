//! `textDocument/semanticTokens`: full, delta and range.

use formwork_ide::tokens::{Token, tokens};
use serde::Serialize;
use serde_json::Value;

use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::{Failure, written};
use crate::view::View;

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct Tokens {
    #[serde(skip_serializing_if = "Option::is_none")]
    result_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Vec<u32>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    edits: Option<Vec<TokensEdit>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TokensEdit {
    start: usize,
    delete_count: usize,
    data: Vec<u32>,
}

pub(crate) fn full(view: &View, params: Value) -> Result<String, Failure> {
    let params: InDocument = params::read(params)?;
    let data = numbers(view, &params, None)?;
    written(&Tokens { result_id: Some(id_of(&data)), data: Some(data), edits: None })
}

/// Returns the difference to an earlier answer. The number of earlier tokens is in its ID: the server keeps no state.
pub(crate) fn delta(view: &View, params: Value) -> Result<String, Failure> {
    let previous = params.get("previousResultId").and_then(Value::as_str).unwrap_or_default().to_owned();
    let params: InDocument = params::read(params)?;
    let data = numbers(view, &params, None)?;
    let id = id_of(&data);
    if id == previous {
        return written(&Tokens { result_id: Some(id), data: None, edits: Some(Vec::new()) });
    }
    // A single edit replaces everything: the number of the old ones is the first part of their ID.
    let count = previous.split('-').next().and_then(|count| count.parse::<usize>().ok());
    let Some(delete_count) = count else {
        return written(&Tokens { result_id: Some(id), data: Some(data), edits: None });
    };
    let edits = Some(vec![TokensEdit { start: 0, delete_count, data }]);
    written(&Tokens { result_id: Some(id), data: None, edits })
}

pub(crate) fn range(view: &View, params: Value) -> Result<String, Failure> {
    let params: InDocument = params::read(params)?;
    let range = params.range.ok_or_else(|| Failure::params("no range"))?;
    let data = Some(numbers(view, &params, Some(range))?);
    written(&Tokens { data, ..Tokens::default() })
}

/// Five numbers for each token: lines and columns from the token before, length, kind, modifiers.
fn numbers(view: &View, params: &InDocument, range: Option<params::Range>) -> Result<Vec<u32>, Failure> {
    let at = At::of(view, &params.text_document.uri)?
        .filter(|_| view.settings_of_uri(&params.text_document.uri).is_on("semanticTokens"));
    let Some((at, lines)) = at.as_ref().and_then(|at| Some((at, at.lines()?))) else { return Ok(Vec::new()) };
    let wanted = range.map(|range| lines.offsets(range));
    let is_wanted = |token: &&Token| wanted.is_none_or(|(start, end)| start < token.end && token.start < end);
    let (mut data, mut line, mut column) = (Vec::new(), 0, 0);
    let found = tokens(&at.ide, &at.file);
    for token in found.iter().filter(is_wanted) {
        let (start, end) = (lines.position(token.start), lines.position(token.end));
        let from = if start.line == line { column } else { 0 };
        let length = end.character.saturating_sub(start.character);
        data.extend([start.line - line, start.character - from, length, token.kind as u32, token.modifiers]);
        (line, column) = (start.line, start.character);
    }
    Ok(data)
}

fn id_of(data: &[u32]) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut hasher = DefaultHasher::new();
    data.hash(&mut hasher);
    format!("{}-{:016x}", data.len(), hasher.finish())
}
