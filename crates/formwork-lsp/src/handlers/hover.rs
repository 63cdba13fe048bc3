//! `textDocument/hover`.

use formwork_ide::hover::hover;
use serde_json::{Value, json};

use super::contents::contents;
use super::expanded;
use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    if !view.settings.is_on("hover") {
        return Ok(Value::Null);
    }
    let params: InDocument = params::read(params)?;
    if expanded::is_view(&params.text_document.uri) {
        return expanded::hover(view, &params);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(Value::Null) };
    let Some(found) = hover(&at.ide, &at.file, offset) else { return Ok(Value::Null) };
    Ok(json!({"contents": contents(view, &found.markdown), "range": at.range_in(&found.range)}))
}
