//! Requests, one file for each feature.
#![allow(clippy::needless_pass_by_value, clippy::unnecessary_wraps, reason = "handlers have one form")]

use serde_json::Value;

use crate::response::{Answer, Failure};
use crate::view::View;

mod code_action;
mod code_lens;
pub(crate) mod commands;
mod completion;
mod contents;
mod data_file;
mod definition;
mod diagnostic;
mod document_link;
mod document_symbol;
pub(crate) mod expanded;
mod fold;
mod folding_range;
mod formatting;
mod highlight;
mod hover;
mod inlay_hint;
mod on_type_formatting;
mod proposals;
mod references;
mod rename;
mod renaming;
mod selection_range;
mod semantic_tokens;
pub(crate) mod uses;
pub(crate) mod values;
mod workspace_symbol;

/// A handler that returns serialized JSON.
type Written = fn(&View, Value) -> Result<String, Failure>;

#[derive(Clone, Copy)]
pub(crate) enum Handler {
    Value(fn(&View, Value) -> Answer),
    /// For answers that may be large.
    Written(Written),
}

pub(crate) enum Answered {
    Value(Value),
    Written(String),
}

impl Handler {
    /// # Errors
    /// Those of the handler.
    pub(crate) fn answer(self, view: &View, params: Value) -> Result<Answered, Failure> {
        match self {
            Handler::Value(handle) => handle(view, params).map(Answered::Value),
            Handler::Written(handle) => handle(view, params).map(Answered::Written),
        }
    }
}

pub(crate) fn find(method: &str) -> Option<Handler> {
    let written: Option<Written> = match method {
        "textDocument/documentSymbol" => Some(document_symbol::handle),
        "textDocument/foldingRange" => Some(folding_range::handle),
        "textDocument/semanticTokens/full" => Some(semantic_tokens::full),
        "textDocument/semanticTokens/full/delta" => Some(semantic_tokens::delta),
        "textDocument/semanticTokens/range" => Some(semantic_tokens::range),
        "textDocument/references" => Some(references::handle),
        "textDocument/documentHighlight" => Some(highlight::handle),
        _ => None,
    };
    written.map(Handler::Written).or_else(|| value_of(method).map(Handler::Value))
}

fn value_of(method: &str) -> Option<fn(&View, Value) -> Answer> {
    Some(match method {
        "textDocument/hover" => hover::handle,
        "textDocument/completion" => completion::handle,
        "completionItem/resolve" => completion::resolve,
        "textDocument/definition" => definition::handle,
        "textDocument/implementation" => definition::implementation,
        "workspace/symbol" => workspace_symbol::handle,
        "textDocument/selectionRange" => selection_range::handle,
        "textDocument/documentLink" => document_link::handle,
        "textDocument/inlayHint" => inlay_hint::handle,
        "inlayHint/resolve" => inlay_hint::resolve,
        "textDocument/codeLens" => code_lens::handle,
        "textDocument/codeAction" => code_action::handle,
        "codeAction/resolve" => code_action::resolve,
        "textDocument/prepareRename" => rename::prepare,
        "textDocument/rename" => rename::handle,
        "textDocument/formatting" => formatting::document,
        "textDocument/rangeFormatting" => formatting::range,
        "textDocument/onTypeFormatting" => on_type_formatting::handle,
        "textDocument/diagnostic" => diagnostic::document,
        "workspace/diagnostic" => diagnostic::workspace,
        "workspace/executeCommand" => commands::handle,
        "workspace/textDocumentContent" => expanded::content,
        "formwork/expanded" => expanded::handle,
        "formwork/map" => expanded::map,
        "formwork/values" => values::handle,
        "formwork/contexts" => values::contexts,
        "formwork/kind" => values::kind,
        _ => return None,
    })
}
