//! Proposals in the form of the protocol.

use formwork::query::SymbolKind;
use formwork_ide::completion::{Proposal, ProposalKind};
use serde_json::{Value, json};

use crate::params::Range;
use crate::view::View;

/// All proposals replace the same token.
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
