//! `textDocument/codeLens`.

use formwork_ide::lenses::{LensKind, lenses};
use serde_json::{Value, json};

use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::Answer;
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    let uri = &params.text_document.uri;
    let at = At::of(view, uri)?.filter(|_| view.settings_of_uri(uri).is_on("codeLens"));
    let Some((at, lines)) = at.as_ref().and_then(|at| Some((at, at.lines()?))) else { return Ok(json!([])) };
    let values = super::values::set_of(view, &at.path);
    let lens = |lens: formwork_ide::lenses::Lens| {
        let position = lines.position(lens.at);
        let command = match lens.kind {
            LensKind::ShowExpansion => json!({
                "title": "show expansion",
                "command": "formwork.showExpansion",
                "arguments": [uri, position],
            }),
            LensKind::SelectValues => json!({
                "title": format!("values: {values}"),
                "command": "formwork.selectValues",
                "arguments": [uri],
            }),
        };
        json!({"range": {"start": position, "end": position}, "command": command})
    };
    Ok(lenses(&at.ide, &at.file).into_iter().map(lens).collect())
}
