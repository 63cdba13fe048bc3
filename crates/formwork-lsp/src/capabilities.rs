//! The capabilities of the server.

use formwork_ide::tokens::{MODIFIERS, TokenKind};
use serde_json::{Value, json};

use crate::client::Client;
use crate::encoding;
use crate::handlers::commands;
use crate::uri::EXPANDED;

pub(crate) fn capabilities(client: &Client) -> Value {
    let mut all = json!({
        "positionEncoding": encoding::name(client.unit),
        "textDocumentSync": {"openClose": true, "change": 2, "save": {"includeText": false}},
        "hoverProvider": true,
        "completionProvider": {
            "triggerCharacters": [".", ":", "$", "{", "[", "\"", "!", " ", "-"],
            "resolveProvider": true
        },
        "definitionProvider": true,
        "implementationProvider": true,
        "referencesProvider": true,
        "documentHighlightProvider": true,
        "documentSymbolProvider": true,
        "workspaceSymbolProvider": true,
        "foldingRangeProvider": true,
        "selectionRangeProvider": true,
        "documentLinkProvider": {},
        "inlayHintProvider": {"resolveProvider": true},
        "codeLensProvider": {},
        "codeActionProvider": {
            "codeActionKinds": [
                "quickfix", "source.fixAll.formwork", "refactor.extract", "refactor.inline", "refactor.rewrite"
            ],
            "resolveProvider": true
        },
        "documentFormattingProvider": true,
        "documentRangeFormattingProvider": true,
        "documentOnTypeFormattingProvider": {"firstTriggerCharacter": "\n"},
        "renameProvider": {"prepareProvider": true},
        "executeCommandProvider": {"commands": commands::NAMES},
        "semanticTokensProvider": {
            "legend": {"tokenTypes": TokenKind::NAMES, "tokenModifiers": MODIFIERS},
            "full": {"delta": true},
            "range": true
        },
        "workspace": {
            "workspaceFolders": {"supported": true, "changeNotifications": true},
            "textDocumentContent": {"schemes": [EXPANDED.trim_end_matches(':')]}
        }
    });
    if client.pulls() {
        all["diagnosticProvider"] =
            json!({"identifier": "formwork", "interFileDependencies": true, "workspaceDiagnostics": true});
    }
    all
}
