//! `textDocument/hover`.

use formwork_ide::hover::hover;
use formwork_ide::nested;
use serde_json::{Value, json};

use super::contents::contents;
use super::{data_file, expanded};
use crate::at::At;
use crate::data::Data;
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
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return data_file::hover(&data, &params);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(Value::Null) };
    // A name that the template of a nested stack declares.
    if let Some([origin, _, name]) = nested::definition(&at.ide, &at.file, offset)
        && let Some(child) = at.other(&name.file)?
        && let Some(found) = hover(&child.ide, &child.file, name.start)
    {
        return Ok(json!({"contents": contents(view, &found.markdown), "range": at.range_in(&origin)}));
    }
    let Some(found) = hover(&at.ide, &at.file, offset) else { return Ok(Value::Null) };
    Ok(json!({"contents": contents(view, &found.markdown), "range": at.range_in(&found.range)}))
}
