//! `textDocument/selectionRange`.

use formwork_ide::selection::selection;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::at::At;
use crate::params::{self, Position, TextDocument};
use crate::response::Answer;
use crate::view::View;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Params {
    text_document: TextDocument,
    positions: Vec<Position>,
}

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: Params = params::read(params)?;
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok(json!([])) };
    let grow = |position: &Position| {
        let offset = at.offset(*position);
        let ranges = selection(&at.ide, &at.file, offset);
        let outwards = ranges.iter().rev().fold(None, |parent: Option<Value>, range| {
            let mut made = json!({"range": at.range(range.start, range.end)});
            if let Some(parent) = parent {
                made["parent"] = parent;
            }
            Some(made)
        });
        outwards.unwrap_or_else(|| json!({"range": at.range(offset, offset)}))
    };
    Ok(params.positions.iter().map(grow).collect())
}
