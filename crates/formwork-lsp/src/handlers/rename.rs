//! `textDocument/prepareRename` and `textDocument/rename`.

use formwork_ide::nested;
use formwork_ide::rename::prepare as prepared;
use serde_json::{Value, json};

use super::data_file;
use super::renaming::of_name;
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure};
use crate::view::View;

pub(crate) fn prepare(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return data_file::prepare_rename(&data, &params);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(Value::Null) };
    if let Some([origin, _, name]) = nested::definition(&at.ide, &at.file, offset)
        && let Some(child) = at.other(&name.file)?
    {
        prepared(&child.ide, &child.file, name.start)?;
        let name = at.lines().and_then(|lines| lines.text.get(origin.start as usize..origin.end as usize));
        return Ok(json!({"range": at.range_in(&origin), "placeholder": name.unwrap_or_default()}));
    }
    let range = prepared(&at.ide, &at.file, offset)?;
    let name = at.lines().and_then(|lines| lines.text.get(range.start as usize..range.end as usize));
    Ok(json!({"range": at.range_in(&range), "placeholder": name.unwrap_or_default()}))
}

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let new = params.get("newName").and_then(Value::as_str).map(str::to_owned);
    let new = new.ok_or_else(|| Failure::params("no newName"))?;
    let params: InDocument = params::read(params)?;
    if let Some(data) = Data::of_uri(view, &params.text_document.uri) {
        return data_file::rename(&data, &params, &new);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(Value::Null) };
    // A name that the template of a nested stack declares.
    if let Some([_, _, name]) = nested::definition(&at.ide, &at.file, offset)
        && let Some(child) = at.other(&name.file)?
    {
        return of_name(view, &child, name.start, &new);
    }
    of_name(view, &at, offset, &new)
}
