//! `textDocument/hover`.

use formwork_ide::hover::hover;
use serde_json::{Value, json};

use super::expanded;
use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    if !view.settings.is_on("hover") {
        return Ok(Value::Null);
    }
    let params: InDocument = params::read(params)?;
    if expanded::is_view(&params.text_document.uri) {
        return expanded::hover(view, &params);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(Value::Null) };
    let Some(found) = hover(&at.ide, &at.file, offset) else { return Ok(Value::Null) };
    Ok(json!({"contents": contents(view, &found.markdown), "range": at.range_in(&found.range)}))
}

/// Markdown, or plain text where the client wants that.
pub(crate) fn contents(view: &View, markdown: &str) -> Value {
    if view.client.reads_markdown("/textDocument/hover/contentFormat") {
        return json!({"kind": "markdown", "value": markdown});
    }
    let lines = markdown.lines().filter(|line| !line.starts_with("```"));
    let plain = lines.map(|line| line.replace("**", "").replace('`', "")).collect::<Vec<_>>().join("\n");
    json!({"kind": "plaintext", "value": plain})
}
