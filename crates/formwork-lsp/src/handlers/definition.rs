//! `textDocument/definition` and `textDocument/implementation`.

use formwork_ide::definition::definition;
use serde_json::{Value, json};

use super::{data_file, expanded};
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if expanded::is_view(&params.text_document.uri) {
        return expanded::definition(view, &params);
    }
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return data_file::definition(&data, &params);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(json!([])) };
    let links = view.client.can("/textDocument/definition/linkSupport");
    let found = definition(&at.ide, &at.file, offset);
    let link = |found: &formwork_ide::definition::Definition| {
        if !links {
            return json!(at.location(&found.name));
        }
        json!({
            "originSelectionRange": at.range_in(&found.origin),
            "targetUri": at.uri(&found.target.file),
            "targetRange": at.range_in(&found.target),
            "targetSelectionRange": at.range_in(&found.name),
        })
    };
    Ok(found.iter().map(link).collect())
}

/// Returns the places in the expansion that an authored node generates.
pub(crate) fn implementation(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(json!([])) };
    expanded::copies(&at, offset)
}
