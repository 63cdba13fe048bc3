//! What a hover or the documentation of a proposal contains.

use formwork_ide::markdown::plain;
use serde_json::{Value, json};

use crate::view::View;

/// Markdown, or the same without its marks where the client wants that.
pub(crate) fn contents(view: &View, markdown: &str) -> Value {
    contents_for(view, "/textDocument/hover/contentFormat", markdown)
}

/// The same for what the client announces at a place of its capabilities.
pub(super) fn contents_for(view: &View, formats: &str, markdown: &str) -> Value {
    if view.client.reads_markdown(formats) {
        return json!({"kind": "markdown", "value": markdown});
    }
    json!({"kind": "plaintext", "value": plain(markdown)})
}
