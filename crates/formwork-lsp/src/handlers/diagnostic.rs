//! `textDocument/diagnostic` and `workspace/diagnostic`.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Map, Value, json};

use crate::diagnostics::{of_document, result_id};
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure};
use crate::settings::CheckTrigger;
use crate::uri;
use crate::view::View;
use crate::world::relative;

pub(crate) fn document(view: &View, params: Value) -> Answer {
    let previous = params.get("previousResultId").and_then(Value::as_str).unwrap_or_default().to_owned();
    let params: InDocument = params::read(params)?;
    let path = uri::to_path(&params.text_document.uri);
    let mut made = report(view, &path, &previous)?;
    if view.client.can("/textDocument/diagnostic/relatedDocumentSupport") {
        let related = related(view, &path)?;
        if !related.is_empty() {
            made["relatedDocuments"] = Value::Object(related);
        }
    }
    Ok(made)
}

/// The diagnostics of open templates that use a file: a change of the file may change them.
fn related(view: &View, path: &Path) -> Result<Map<String, Value>, Failure> {
    let mut found = Map::new();
    for (other, document) in view.documents.iter().filter(|(other, document)| *other != path && document.is_template())
    {
        let own = relative(path, other.parent().unwrap_or(Path::new("/")));
        let Some(ide) = view.ide(other)? else { continue };
        let dependencies = ide.compilation().dependencies();
        if dependencies.found.contains(&own) || dependencies.missing.contains(&own) {
            found.insert(document.uri.clone(), report(view, other, "")?);
        }
    }
    Ok(found)
}

fn report(view: &View, path: &Path, previous: &str) -> Result<Value, Failure> {
    let run = view.settings_of(path).run;
    if run == CheckTrigger::OnSave && !previous.is_empty() && view.unsaved.contains(path) {
        // The client has those of the text that was saved.
        return Ok(json!({"kind": "unchanged", "resultId": previous}));
    }
    let items = if run == CheckTrigger::Off { Vec::new() } else { of_document(view, path)? };
    let id = result_id(&items);
    if id == previous {
        return Ok(json!({"kind": "unchanged", "resultId": id}));
    }
    Ok(json!({"kind": "full", "resultId": id, "items": items}))
}

pub(crate) fn workspace(view: &View, params: Value) -> Answer {
    let known = params.get("previousResultIds").and_then(Value::as_array);
    let text = |one: &Value, key: &str| one.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let known: BTreeMap<String, String> =
        known.into_iter().flatten().map(|one| (text(one, "uri"), text(one, "value"))).collect();
    let open = view.documents.keys().map(std::path::PathBuf::as_path);
    let mut paths: Vec<&Path> = open.chain(view.scanned.templates()).collect();
    paths.sort();
    paths.dedup();
    let mut items = Vec::new();
    for path in paths {
        let document = view.document(path);
        let uri = document.map_or_else(|| uri::of_path(path), |document| document.uri.clone());
        let mut made = report(view, path, known.get(&uri).map_or("", String::as_str))?;
        made["uri"] = json!(uri);
        made["version"] = json!(document.map(|document| document.version));
        items.push(made);
    }
    Ok(json!({"items": items}))
}
