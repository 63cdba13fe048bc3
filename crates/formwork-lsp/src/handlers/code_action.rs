//! `textDocument/codeAction`.

use formwork_ide::actions::{Action, ActionKind, actions};
use serde_json::{Value, json};

use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure};
use crate::view::View;

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let only: Option<Vec<String>> = params
        .pointer("/context/only")
        .and_then(Value::as_array)
        .map(|kinds| kinds.iter().filter_map(Value::as_str).map(str::to_owned).collect());
    let diagnostics: Vec<Value> =
        params.pointer("/context/diagnostics").and_then(Value::as_array).cloned().unwrap_or_default();
    let params: InDocument = params::read(params)?;
    let range = params.range.ok_or_else(|| Failure::params("no range"))?;
    let Some(at) = At::of(view, &params.text_document.uri)? else { return Ok(json!([])) };
    // A kind holds those below it: `refactor` is also `refactor.inline`.
    let is_wanted = |kind: ActionKind| {
        let name = kind.name();
        let is_in = |wanted: &String| {
            name == wanted || name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        match &only {
            Some(only) => only.iter().any(is_in),
            // All fixes of a file are asked for by name.
            None => kind != ActionKind::FixAll,
        }
    };
    let (start, end) = at.offsets(range);
    let found = actions(&at.ide, &at.file, start..end, &is_wanted);
    // A file cannot be created by edits alone.
    let can_create = view.client.creates_files();
    let found = found.iter().filter(|action| can_create || !action.edits.iter().any(|file| file.is_new));
    Ok(found.map(|action| made(&at, action, &diagnostics)).collect())
}

fn made(at: &At<'_>, action: &Action, diagnostics: &[Value]) -> Value {
    let mut made = json!({
        "title": action.title,
        "kind": action.kind.name(),
        "edit": at.workspace_edit(&action.edits),
    });
    if action.is_preferred {
        made["isPreferred"] = json!(true);
    }
    if let Some((code, range)) = &action.fixes {
        let range = at.range_in(range);
        let fixed = |known: &&Value| known["code"] == json!(code) && known["range"] == json!(range);
        let fixed: Vec<Value> = diagnostics.iter().filter(fixed).cloned().collect();
        if !fixed.is_empty() {
            made["diagnostics"] = Value::Array(fixed);
        }
    }
    made
}
