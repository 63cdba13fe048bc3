//! What a hover contains.

use serde_json::{Value, json};

use crate::view::View;

/// Markdown, or the same without its marks where the client wants that.
pub(crate) fn contents(view: &View, markdown: &str) -> Value {
    if view.client.reads_markdown("/textDocument/hover/contentFormat") {
        return json!({"kind": "markdown", "value": markdown});
    }
    let lines = markdown.lines().filter(|line| !line.starts_with("```"));
    let plain = lines.map(|line| line.replace("**", "").replace('`', "")).collect::<Vec<_>>().join("\n");
    json!({"kind": "plaintext", "value": plain})
}
