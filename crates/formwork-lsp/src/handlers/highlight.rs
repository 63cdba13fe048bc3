//! `textDocument/documentHighlight`.

use formwork_ide::highlight::highlight;
use serde::Serialize;
use serde_json::Value;

use super::data_file;
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument, Range};
use crate::response::{Failure, written};
use crate::view::View;

#[derive(Serialize)]
struct Highlight {
    range: Range,
    kind: u32,
}

pub(crate) fn handle(view: &View, params: Value) -> Result<String, Failure> {
    let params: InDocument = params::read(params)?;
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return written(&data_file::highlight(&data, &params)?);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok("[]".to_owned()) };
    // 2 is read, 3 is write.
    let kind = |is_declaration| if is_declaration { 3 } else { 2 };
    let found = highlight(&at.ide, &at.file, offset);
    let made = found.iter().map(|used| Highlight { range: at.range_in(&used.range), kind: kind(used.is_declaration) });
    written(&made.collect::<Vec<_>>())
}
