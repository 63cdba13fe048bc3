//! `textDocument/codeAction` and `codeAction/resolve`.

use std::ops::Range;

use formwork_ide::actions::{Action, ActionKind, Wanted, actions, prove};
use serde_json::{Value, json};

use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure, REQUEST_FAILED};
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
    // A kind includes its subkinds: `refactor` is also `refactor.inline`.
    let is_wanted = |kind: ActionKind| {
        let name = kind.name();
        let is_in = |wanted: &String| {
            name == wanted || name.strip_prefix(wanted.as_str()).is_some_and(|rest| rest.starts_with('.'))
        };
        match &only {
            Some(only) => only.iter().any(is_in),
            // All fixes of a file are only requested explicitly.
            None => kind != ActionKind::FixAll,
        }
    };
    let (start, end) = at.offsets(range);
    let (are_unproved, cancellation) = (view.client.resolves_actions(), &view.cancellation);
    let found = actions(&at.ide, &at.file, start..end, &Wanted { kinds: &is_wanted, are_unproved, cancellation })?;
    // A file cannot be created by edits alone.
    let can_create = view.client.creates_files();
    let found = found.iter().filter(|action| can_create || !action.edits.iter().any(|file| file.is_new));
    Ok(found.map(|action| made(&at, action, &diagnostics, start..end)).collect())
}

#[derive(serde::Deserialize, serde::Serialize)]
struct Offered {
    uri: String,
    version: Option<i32>,
    start: u32,
    end: u32,
}

/// Computes the edit of an action that was not compiled when it was offered.
pub(crate) fn resolve(view: &View, mut params: Value) -> Answer {
    let Some(data) = params.get("data").filter(|data| !data.is_null()).cloned() else { return Ok(params) };
    let Offered { uri, version, start, end } = params::read(data)?;
    let title = params.get("title").and_then(Value::as_str).unwrap_or_default();
    let at = At::of(view, &uri)?.filter(|at| version_of(at) == version).ok_or_else(Failure::modified)?;
    let action = prove(&at.ide, &at.file, start..end, title, &view.cancellation)?;
    let refused = || Failure::new(REQUEST_FAILED, format!("`{title}` would add a diagnostic"));
    params["edit"] = at.workspace_edit(&action.ok_or_else(refused)?.edits);
    Ok(params)
}

fn version_of(at: &At<'_>) -> Option<i32> {
    at.view.document(&at.path).map(|document| document.version)
}

fn made(at: &At<'_>, action: &Action, diagnostics: &[Value], asked: Range<u32>) -> Value {
    let mut made = json!({"title": action.title, "kind": action.kind.name()});
    if action.is_proved {
        made["edit"] = at.workspace_edit(&action.edits);
    } else {
        // Actions of the same title differ in the place of their diagnostic.
        let place = action.fixes.as_ref().map_or(asked, |(_, range)| range.start..range.end);
        let (uri, version) = (at.uri(&at.file), version_of(at));
        made["data"] = json!(Offered { uri, version, start: place.start, end: place.end });
    }
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
