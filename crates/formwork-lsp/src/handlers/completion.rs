//! `textDocument/completion` and `completionItem/resolve`.

use formwork::query::SymbolKind;
use formwork_ide::completion::{Proposal, ProposalKind, completion};
use serde_json::{Value, json};

use super::data_file;
use crate::at::At;
use crate::data::Data;
use crate::params::{self, InDocument, Range};
use crate::response::Answer;
use crate::view::View;
use crate::world::relative;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    if let Some(data) = Data::of_uri(view, &params.text_document.uri).filter(|_| view.settings.is_on("completion")) {
        return data_file::completion(&data, &params);
    }
    let place = At::position(view, &params)?.filter(|_| view.settings.is_on("completion"));
    let Some((at, offset)) = place else { return Ok(json!({"isIncomplete": false, "items": []})) };
    let folder = at.path.parent().unwrap_or(&at.path);
    let root = view.roots.project_root(folder);
    let files = view.scanned.below(&root).filter(|path| *path != at.path);
    let files: Vec<String> = files.map(|path| relative(path, folder).as_str().to_owned()).collect();
    let found = completion(&at.ide, &at.file, offset, &files);
    // All of them replace the same token.
    let range = found.first().map(|one| at.range(one.edit.start, one.edit.end)).unwrap_or_default();
    Ok(list(view, &found, &range))
}

/// The answer; all proposals replace the same token.
pub(super) fn list(view: &View, found: &[Proposal], range: &Range) -> Value {
    let items: Vec<Value> = found.iter().enumerate().map(|(number, one)| item(view, number, one, range)).collect();
    json!({"isIncomplete": false, "items": items})
}

fn item(view: &View, number: usize, proposal: &Proposal, range: &Range) -> Value {
    let has_snippets = view.client.can("/textDocument/completion/completionItem/snippetSupport");
    let snippet = proposal.snippet.as_ref().filter(|_| has_snippets);
    let edit = &proposal.edit;
    let mut made = json!({
        "label": proposal.label,
        "kind": kind(proposal.kind),
        "textEdit": {"range": range, "newText": snippet.unwrap_or(&edit.text)},
        "sortText": format!("{}{number:05}", proposal.group),
        "filterText": proposal.label,
    });
    if snippet.is_some() {
        made["insertTextFormat"] = json!(2);
    }
    if let Some(detail) = &proposal.detail {
        made["detail"] = json!(detail);
    }
    if let Some(documentation) = &proposal.documentation {
        made["data"] = json!(documentation);
    }
    made
}

/// The number of a kind in the protocol.
fn kind(kind: ProposalKind) -> u32 {
    match kind {
        ProposalKind::Name(SymbolKind::Resource) => 7,
        ProposalKind::Name(SymbolKind::Condition) => 20,
        ProposalKind::Name(SymbolKind::Import | SymbolKind::Package) => 9,
        ProposalKind::Name(SymbolKind::Output) => 10,
        ProposalKind::Name(SymbolKind::PseudoParameter | SymbolKind::Constant) => 21,
        ProposalKind::Name(_) => 6,
        ProposalKind::Function => 3,
        ProposalKind::Keyword => 14,
        ProposalKind::Property => 10,
        ProposalKind::Type => 7,
        ProposalKind::Value => 12,
        ProposalKind::File => 17,
        ProposalKind::Snippet => 15,
    }
}

pub(crate) fn resolve(_: &View, mut params: Value) -> Answer {
    if let Some(text) = params.get("data").and_then(Value::as_str).map(str::to_owned) {
        params["documentation"] = json!({"kind": "markdown", "value": text});
    }
    Ok(params)
}
