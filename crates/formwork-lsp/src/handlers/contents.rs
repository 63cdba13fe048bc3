//! The content of a hover, or of the documentation of a proposal.

use formwork_ide::markdown::plain;
use serde_json::{Value, json};

use crate::view::View;

/// Returns Markdown, or the same text without markup if the client does not accept Markdown.
pub(crate) fn contents(view: &View, markdown: &str) -> Value {
    contents_for(view, "/textDocument/hover/contentFormat", markdown)
}

/// Returns the content in a format that the client announces at `formats` in its capabilities.
pub(super) fn contents_for(view: &View, formats: &str, markdown: &str) -> Value {
    if view.client.reads_markdown(formats) {
        return json!({"kind": "markdown", "value": markdown});
    }
    json!({"kind": "plaintext", "value": plain(markdown)})
}
