//! `textDocument/onTypeFormatting`: a new line gets the column of the next entry.

use serde_json::{Value, json};

use super::formatting::{is_formatted, options_of};
use crate::lines::Lines;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure};
use crate::uri;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let is_break = params.get("ch").and_then(Value::as_str).is_none_or(|typed| typed == "\n");
    let (tab_size, spaces) =
        (params.pointer("/options/tabSize").cloned(), params.pointer("/options/insertSpaces").cloned());
    let params: InDocument = params::read(params)?;
    let position = params.position.ok_or_else(|| Failure::params("no position"))?;
    let path = uri::to_path(&params.text_document.uri);
    let document = view.document(&path).filter(|_| view.settings_of(&path).is_on("format") && is_break);
    let Some(document) = document.filter(|document| is_formatted(document)) else { return Ok(json!([])) };
    let index = formwork::LineIndex::new(&document.text);
    let lines = Lines { text: &document.text, index: &index, unit: view.unit(), mark: 0 };
    let options = options_of(view, &path, &document.text, spaces.as_ref(), tab_size.as_ref());
    let edit = formwork_format::new_line(&document.text, lines.offset(position) as usize, &options);
    let made = |edit: formwork_format::Edit| json!({"range": lines.range(edit.range.start as u32, edit.range.end as u32), "newText": edit.text});
    Ok(edit.map(made).into_iter().collect())
}
