//! `textDocument/documentHighlight`.

use formwork_ide::highlight::highlight;
use serde_json::{Value, json};

use super::data_file;
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return data_file::highlight(&data, &params);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(json!([])) };
    // 2 is read, 3 is write.
    let kind = |is_declaration| if is_declaration { 3 } else { 2 };
    let found = highlight(&at.ide, &at.file, offset);
    Ok(found.iter().map(|used| json!({"range": at.range_in(&used.range), "kind": kind(used.is_declaration)})).collect())
}
