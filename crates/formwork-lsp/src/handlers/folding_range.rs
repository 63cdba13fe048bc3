//! `textDocument/foldingRange`.

use formwork_ide::folding::folding;
use serde_json::{Value, json};

use super::expanded;
use super::fold::fold;
use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if expanded::is_view(&params.text_document.uri) {
        return expanded::folding(view, &params.text_document.uri);
    }
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok(json!([])) };
    Ok(folding(&at.ide, &at.file).iter().map(fold).collect())
}
