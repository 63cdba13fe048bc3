//! `textDocument/documentLink`.

use formwork_ide::links::{LinkTarget, links};
use serde_json::{Value, json};

use super::data_file;
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if !view.settings_of_uri(&params.text_document.uri).is_on("links") {
        return Ok(json!([]));
    }
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return data_file::links(&data);
    }
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok(json!([])) };
    let link = |link: formwork_ide::links::Link| {
        let target = match link.target {
            LinkTarget::File(file) => at.uri(&file),
            LinkTarget::Address(address) => address,
        };
        json!({"range": at.range(link.range.start, link.range.end), "target": target})
    };
    Ok(links(&at.ide, &at.file).into_iter().map(link).collect())
}
