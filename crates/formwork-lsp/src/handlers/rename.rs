//! `textDocument/prepareRename` and `textDocument/rename`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use formwork_ide::rename::{Renaming, prepare as prepared, rename};
use formwork_ide::{Edit, FileEdits};
use serde_json::{Value, json};

use super::references::other_templates;
use crate::at::At;
use crate::params::{self, InDocument};
use crate::response::{Answer, Failure, REQUEST_FAILED};
use crate::view::View;
use crate::world::{absolute, relative};

pub(crate) fn prepare(view: &View, params: Value) -> Answer {
    let params: InDocument = params::read(params)?;
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(Value::Null) };
    let range = prepared(&at.ide, &at.file, offset).map_err(|why| Failure::new(REQUEST_FAILED, why))?;
    let name = at.lines().and_then(|lines| lines.text.get(range.start as usize..range.end as usize));
    Ok(json!({"range": at.range_in(&range), "placeholder": name.unwrap_or_default()}))
}

pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let new = params.get("newName").and_then(Value::as_str).unwrap_or_default().to_owned();
    let params: InDocument = params::read(params)?;
    let Some((at, offset)) = At::position(view, &params)? else { return Ok(Value::Null) };
    let refuse = |why: String| Failure::new(REQUEST_FAILED, why);
    let mut renaming = rename(&at.ide, &at.file, offset, &new).map_err(refuse)?;
    let folder = at.path.parent().unwrap_or(&at.path).to_owned();
    let symbol = at.ide.project().symbol_at(&at.file, offset);
    // What is declared in a module is used by all templates that import it.
    if let Some(declared) = symbol.and_then(|symbol| symbol.declared) {
        let file = absolute(&declared.file, &folder);
        let mut all: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
        add(&mut all, &renaming, &folder);
        for other in &other_templates(view, &at)? {
            let own_folder = other.path.parent().unwrap_or(&other.path);
            let own = relative(&file, own_folder);
            if other.ide.file(&own).is_some() {
                let more = rename(&other.ide, &own, declared.start, &new).map_err(refuse)?;
                add(&mut all, &more, own_folder);
            }
        }
        let root = view.roots.project_root(&folder);
        if let Some(outside) = all.keys().find(|path| !path.starts_with(&root) && !at.path.starts_with(path)) {
            return Err(refuse(format!("{} is outside the project root", outside.display())));
        }
        let edits =
            all.into_iter().map(|(path, edits)| FileEdits { file: relative(&path, &folder), is_new: false, edits });
        renaming.edits = edits.collect();
    }
    Ok(answer(&at, &renaming))
}

fn add(all: &mut BTreeMap<PathBuf, Vec<Edit>>, renaming: &Renaming, folder: &std::path::Path) {
    for file in &renaming.edits {
        let edits = all.entry(absolute(&file.file, folder)).or_default();
        edits.extend(file.edits.iter().cloned());
        edits.sort();
        edits.dedup();
    }
}

/// The edit; a renaming that replaces a resource is confirmed where the client can ask.
fn answer(at: &At<'_>, renaming: &Renaming) -> Value {
    let mut edit = at.workspace_edit(&renaming.edits);
    let client = &at.view.client;
    let annotates = client.can("/workspace/workspaceEdit/changeAnnotationSupport")
        && client.can("/workspace/workspaceEdit/documentChanges");
    if renaming.replaces_resource && annotates {
        edit["changeAnnotations"] = json!({
            "replaces": {"label": "a deployed resource is replaced", "needsConfirmation": true}
        });
        for change in edit["documentChanges"].as_array_mut().into_iter().flatten() {
            for text in change["edits"].as_array_mut().into_iter().flatten() {
                text["annotationId"] = json!("replaces");
            }
        }
    }
    edit
}
