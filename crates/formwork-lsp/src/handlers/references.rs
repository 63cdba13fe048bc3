//! `textDocument/references`.

use formwork_ide::nested;
use serde_json::Value;

use super::uses::of_name;
use super::{data_file, expanded};
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument};
use crate::response::{Failure, written};
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Result<String, Failure> {
    let includes = params.pointer("/context/includeDeclaration").and_then(Value::as_bool).unwrap_or(false);
    let params: InDocument = params::read(params)?;
    if expanded::is_view(&params.text_document.uri) {
        return written(&expanded::references(view, &params)?);
    }
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return written(&data_file::references(&data, &params, includes)?);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok("[]".to_owned()) };
    // A name that the template of a nested stack declares.
    if let Some([_, _, name]) = nested::definition(&at.ide, &at.file, offset)
        && let Some(child) = at.other(&name.file)?
    {
        return written(&of_name(view, &child, name.start, includes)?);
    }
    written(&of_name(view, &at, offset, includes)?)
}
