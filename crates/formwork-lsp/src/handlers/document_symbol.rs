//! `textDocument/documentSymbol`.

use formwork::query::SymbolKind;
use formwork_ide::symbols::{OutlineSymbol, symbols};
use serde::Serialize;
use serde_json::Value;

use super::expanded;
use crate::at::At;
use crate::params::{self, InDocument, Location, Range};
use crate::response::{Failure, written};
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Result<String, Failure> {
    let params: InDocument = params::read(params)?;
    if !view.settings_of_uri(&params.text_document.uri).is_on("symbols") {
        return Ok("[]".to_owned());
    }
    if expanded::is_view(&params.text_document.uri) {
        return written(&expanded::symbols(view, &params.text_document.uri)?);
    }
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok("[]".to_owned()) };
    let found = symbols(&at.ide, &at.file);
    if !view.client.can("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport") {
        let mut flat = Vec::new();
        for one in &found {
            flatten(&at, one, &mut flat);
        }
        return written(&flat);
    }
    written(&found.iter().map(|one| symbol(&at, one)).collect::<Vec<_>>())
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Symbol<'s> {
    name: &'s str,
    kind: u32,
    range: Range,
    selection_range: Range,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'s str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    children: Vec<Symbol<'s>>,
}

fn symbol<'s>(at: &At<'_>, one: &'s OutlineSymbol) -> Symbol<'s> {
    Symbol {
        name: name(one),
        kind: kind(one.kind),
        range: at.range_in(&one.range),
        selection_range: at.range_in(&one.name_range),
        detail: one.detail.as_deref(),
        children: one.children.iter().map(|child| symbol(at, child)).collect(),
    }
}

/// A symbol for clients without support for children.
#[derive(Serialize)]
struct Flat<'s> {
    name: &'s str,
    kind: u32,
    location: Location,
}

fn flatten<'s>(at: &At<'_>, one: &'s OutlineSymbol, flat: &mut Vec<Flat<'s>>) {
    flat.push(Flat { name: name(one), kind: kind(one.kind), location: at.location(&one.range) });
    one.children.iter().for_each(|child| flatten(at, child, flat));
}

fn name(one: &OutlineSymbol) -> &str {
    if one.name.trim().is_empty() { "(no name)" } else { &one.name }
}

pub(crate) fn kind(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Section => 3,
        SymbolKind::Parameter | SymbolKind::LoopVariable | SymbolKind::SubVariable => 13,
        SymbolKind::Resource => 5,
        SymbolKind::Condition => 17,
        SymbolKind::Mapping => 10,
        SymbolKind::Output => 7,
        SymbolKind::Rule => 12,
        SymbolKind::Loop => 18,
        SymbolKind::Import => 2,
        SymbolKind::Package => 4,
        SymbolKind::Constant | SymbolKind::PseudoParameter => 14,
        SymbolKind::File => 1,
        _ => 13,
    }
}
