//! `textDocument/hover`.

use std::collections::BTreeSet;
use std::path::PathBuf;

use formwork::query::{Symbol, SymbolKind};
use formwork_ide::hover::{hover, passed};
use formwork_ide::markdown::{cell, words};
use formwork_ide::nested;
use serde_json::{Value, json};

use super::contents::contents;
use super::{data_file, expanded};
use crate::at::At;
use crate::data::Data;
use crate::document::name_of;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure};
use crate::view::View;
use crate::world::absolute;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if !view.settings_of_uri(&params.text_document.uri).is_on("hover") {
        return Ok(Value::Null);
    }
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
    let rows = instances(view, &at, offset)?;
    let markdown = if rows.is_empty() { found.markdown } else { format!("{}\n\n{rows}", found.markdown) };
    Ok(json!({"contents": contents(view, &markdown), "range": at.range_in(&found.range)}))
}

/// The values of an input of a module: one row for each instance in an open or selected template, the selected one
/// first.
fn instances(view: &View, at: &At<'_>, offset: u32) -> Result<String, Failure> {
    let symbol = at.ide.project().symbol_at(&at.file, offset).filter(|symbol| symbol.kind == SymbolKind::Parameter);
    let is_own = |symbol: &Symbol| symbol.declared.as_ref().is_some_and(|declared| declared.file == at.file);
    let Some(symbol) = symbol.filter(is_own) else { return Ok(String::new()) };
    let selected = view.contexts.get(&at.path);
    let open = view.documents.iter().filter(|(_, document)| document.is_template()).map(|(path, _)| path);
    let templates: BTreeSet<&PathBuf> = open.chain(selected.map(|(root, _)| root)).collect();
    let mut rows = Vec::new();
    for path in templates.into_iter().filter(|path| **path != at.path) {
        let Some(other) = At::of_path(view, path)? else { continue };
        for import in other.ide.project().imports(&other.file) {
            if import.file.as_ref().is_some_and(|file| absolute(file, other.folder()) == at.path) {
                let value = passed(&other.ide, &import, &symbol.name);
                let value = value.map_or_else(|| "its default".to_owned(), |value| cell(&value));
                let is_selected = selected.is_some_and(|(root, instance)| root == path && *instance == import.name);
                let row = format!("| {} in {} | {value} |", words(&import.name), words(&name_of(path)));
                rows.insert(if is_selected { 0 } else { rows.len() }, row);
            }
        }
    }
    if rows.is_empty() {
        return Ok(String::new());
    }
    let more = if rows.len() > 10 { format!("\n\nand {} more", rows.len() - 10) } else { String::new() };
    rows.truncate(10);
    Ok(format!("| instance | value |\n|---|---|\n{}{more}", rows.join("\n")))
}
