//! `textDocument/documentSymbol`.

use formwork::query::SymbolKind;
use formwork_ide::symbols::{OutlineSymbol, symbols};
use serde_json::{Value, json};

use super::expanded;
use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if !view.settings.is_on("symbols") {
        return Ok(json!([]));
    }
    if expanded::is_view(&params.text_document.uri) {
        return expanded::symbols(view, &params.text_document.uri);
    }
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok(json!([])) };
    let found = symbols(&at.ide, &at.file);
    if !view.client.can("/textDocument/documentSymbol/hierarchicalDocumentSymbolSupport") {
        let mut flat = Vec::new();
        for one in &found {
            flatten(&at, one, &mut flat);
        }
        return Ok(Value::Array(flat));
    }
    Ok(found.iter().map(|one| symbol(&at, one)).collect())
}

fn symbol(at: &At<'_>, one: &OutlineSymbol) -> Value {
    let mut made = json!({
        "name": name(one),
        "kind": kind(one.kind),
        "range": at.range_in(&one.range),
        "selectionRange": at.range_in(&one.name_range),
    });
    if let Some(detail) = &one.detail {
        made["detail"] = json!(detail);
    }
    if !one.children.is_empty() {
        made["children"] = one.children.iter().map(|child| symbol(at, child)).collect();
    }
    made
}

fn flatten(at: &At<'_>, one: &OutlineSymbol, flat: &mut Vec<Value>) {
    flat.push(json!({"name": name(one), "kind": kind(one.kind), "location": at.location(&one.range)}));
    one.children.iter().for_each(|child| flatten(at, child, flat));
}

/// A name that editors accept: it is not empty.
fn name(one: &OutlineSymbol) -> &str {
    if one.name.trim().is_empty() { "(no name)" } else { &one.name }
}

/// The number of a kind in the protocol.
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
