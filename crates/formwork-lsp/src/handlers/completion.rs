//! `textDocument/completion` and `completionItem/resolve`.

use formwork_ide::completion::completion;
use serde_json::{Value, json};

use super::contents::contents_for;
use super::data_file;
use super::proposals::list;
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;
use crate::world::relative;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    let nothing = || json!({"isIncomplete": false, "items": []});
    if !view.settings_of_uri(&params.text_document.uri).is_on("completion") {
        return Ok(nothing());
    }
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return data_file::completion(&data, &params);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(nothing()) };
    let folder = at.path.parent().unwrap_or(&at.path);
    let root = view.roots.project_root(folder);
    let files = view.scanned.below(&root).filter(|path| *path != at.path);
    let files: Vec<String> = files.map(|path| relative(path, folder).as_str().to_owned()).collect();
    let found = completion(&at.ide, &at.file, offset, &files);
    let range = found.first().map(|one| at.range(one.edit.start, one.edit.end)).unwrap_or_default();
    Ok(list(view, &found, &range))
}

pub(crate) fn resolve(view: &View, mut params: Value) -> Answer {
    if let Some(text) = params.get("data").and_then(Value::as_str).map(str::to_owned) {
        let formats = "/textDocument/completion/completionItem/documentationFormat";
        params["documentation"] = contents_for(view, formats, &text);
    }
    Ok(params)
}
