//! `textDocument/inlayHint` and `inlayHint/resolve`.

use formwork_ide::hints::hints;
use serde_json::{Value, json};

use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure};
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    let range = params.range.ok_or_else(|| Failure::params("no range"))?;
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok(json!([])) };
    let found = hints(&at.ide, &at.file, at.offsets(range), view.settings_of(&at.path).hints);
    let lines = at.lines();
    let made = found.iter().map(|hint| {
        json!({
            "position": lines.map(|lines| lines.position(hint.at)).unwrap_or_default(),
            "label": [{"value": hint.label, "location": at.location(&hint.location)}],
            "paddingLeft": true,
            "data": hint.tooltip,
        })
    });
    Ok(made.collect())
}

pub(crate) fn resolve(_: &View, mut params: Value) -> Answer {
    let tooltip = params.get("data").and_then(Value::as_str).unwrap_or_default().to_owned();
    if !tooltip.is_empty() {
        params["tooltip"] = json!(tooltip);
    }
    Ok(params)
}
