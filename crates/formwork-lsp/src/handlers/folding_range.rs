//! `textDocument/foldingRange`.

use formwork_ide::folding::folding;
use serde_json::Value;

use super::expanded;
use super::fold::FoldingRange;
use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::{Failure, written};
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Result<String, Failure> {
    let params: InDocument = params::read(params)?;
    if expanded::is_view(&params.text_document.uri) {
        return written(&expanded::folding(view, &params.text_document.uri)?);
    }
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok("[]".to_owned()) };
    written(&folding(&at.ide, &at.file).iter().map(FoldingRange::from).collect::<Vec<_>>())
}
