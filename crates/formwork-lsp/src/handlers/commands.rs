//! `workspace/executeCommand`. Commands that ask or show something are handled by the loop of the server.

use formwork_ide::expansion_view::Stage;
use serde_json::{Value, json};

use super::expanded;
use crate::context;
use crate::response::{Answer, Failure};
use crate::uri;
use crate::view::View;

pub(crate) const NAMES: [&str; 4] =
    ["formwork.showExpansion", "formwork.selectValues", "formwork.setValues", "formwork.selectContext"];

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    match params.get("command").and_then(Value::as_str) {
        Some("formwork.showExpansion") => Ok(json!({"uri": view_of(view, &params)?})),
        Some(name) => Err(Failure::params(format!("unknown command {name}"))),
        None => Err(Failure::params("no command")),
    }
}

/// The URI of the view that `formwork.showExpansion` requests.
///
/// # Errors
/// When the document is missing, or the state is outdated.
pub(crate) fn view_of(view: &View, params: &Value) -> Result<String, Failure> {
    let argument = |at: usize| params.pointer(&format!("/arguments/{at}"));
    let uri = argument(0).and_then(Value::as_str).ok_or_else(|| Failure::params("no document"))?;
    let path = uri::to_path(uri);
    let stage = argument(2).and_then(Value::as_str).and_then(Stage::from_name);
    let stage = stage.unwrap_or(view.settings_of(&path).stage);
    Ok(expanded::uri_of(&context::shown_in(view, &path)?, stage))
}
