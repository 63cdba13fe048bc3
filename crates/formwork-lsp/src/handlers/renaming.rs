//! The edits that rename a name of a template in all files of the workspace.

use std::collections::BTreeMap;
use std::path::PathBuf;

use formwork_ide::nested;
use formwork_ide::rename::{Renaming, rename};
use formwork_ide::{Edit, FileEdits};
use serde_json::{Value, json};

use super::uses::{in_other_files, other_templates};
use crate::at::At;
use crate::data;
use crate::document::name_of;
use crate::response::{Answer, Failure, REQUEST_FAILED};
use crate::view::View;
use crate::world::{absolute, relative};

/// Returns the edits that rename the name at an offset of a template.
///
/// # Errors
/// When the name cannot be replaced, or the state is outdated.
pub(super) fn of_name(view: &View, at: &At<'_>, offset: u32, new: &str) -> Answer {
    let mut renaming = rename(&at.ide, &at.file, offset, new)?;
    let folder = at.path.parent().unwrap_or(&at.path).to_owned();
    let symbol = at.ide.project().symbol_at(&at.file, offset);
    // A declaration of a module is used by all templates that import it.
    let elsewhere = symbol.as_ref().and_then(|symbol| in_other_files(at, symbol));
    let mut kept = Vec::new();
    if let Some(declared) = symbol.and_then(|symbol| symbol.declared) {
        let file = absolute(&declared.file, &folder);
        let mut all: BTreeMap<PathBuf, Vec<Edit>> = BTreeMap::new();
        add(&mut all, &renaming, &folder);
        let others = other_templates(view, at)?;
        if let Some((section, name, file, _)) = &elsewhere {
            // Parents of nested stacks.
            for other in std::iter::once(at).chain(&others) {
                let child = relative(file, other.folder());
                let places = nested::uses(&other.ide, &other.file, &child, section, name);
                let edits = places.into_iter().map(|range| Edit::new(range.start, range.end, new)).collect();
                let edits = vec![FileEdits { file: other.file.clone(), is_new: false, edits }];
                add(&mut all, &Renaming { edits, replaces_resource: false }, other.folder());
            }
            if *section == "Parameters" {
                for named in data::uses_of(view, file, name) {
                    match named.other {
                        Some(other) => kept.push(format!(
                            "{name} stays in {}: {} declares it, too",
                            name_of(&named.path),
                            name_of(&other)
                        )),
                        None => {
                            all.entry(named.path).or_default().push(Edit::new(named.range.start, named.range.end, new));
                        }
                    }
                }
            }
            all.retain(|_, edits| !edits.is_empty());
            for edits in all.values_mut() {
                edits.sort();
                edits.dedup();
            }
        }
        for other in &others {
            let own_folder = other.path.parent().unwrap_or(&other.path);
            let own = relative(&file, own_folder);
            if other.ide.file(&own).is_some() {
                let more = rename(&other.ide, &own, declared.start, new)?;
                add(&mut all, &more, own_folder);
            }
        }
        let root = view.roots.project_root(&folder);
        if let Some(outside) = all.keys().find(|path| !path.starts_with(&root) && !at.path.starts_with(path)) {
            return Err(Failure::new(REQUEST_FAILED, format!("{} is outside the project root", outside.display())));
        }
        let edits =
            all.into_iter().map(|(path, edits)| FileEdits { file: relative(&path, &folder), is_new: false, edits });
        renaming.edits = edits.collect();
    }
    let paths = renaming.edits.iter().map(|file| absolute(&file.file, &folder));
    if let Some(path) = paths.into_iter().find(|path| is_read_only(path)) {
        return Err(Failure::new(REQUEST_FAILED, format!("{} is write-protected", path.display())));
    }
    kept.dedup();
    Ok(answer(at, &renaming, &kept))
}

/// Returns `true` if a file exists and may not be written.
fn is_read_only(path: &std::path::Path) -> bool {
    path.metadata().is_ok_and(|metadata| metadata.permissions().readonly())
}

fn add(all: &mut BTreeMap<PathBuf, Vec<Edit>>, renaming: &Renaming, folder: &std::path::Path) {
    for file in &renaming.edits {
        let edits = all.entry(absolute(&file.file, folder)).or_default();
        edits.extend(file.edits.iter().cloned());
        edits.sort();
        edits.dedup();
    }
}

/// A renaming that replaces a resource is confirmed if the client can ask, and lists the places that keep the name.
fn answer(at: &At<'_>, renaming: &Renaming, kept: &[String]) -> Value {
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
    if !kept.is_empty() && annotates && !renaming.replaces_resource {
        edit["changeAnnotations"] = json!({"kept": {"label": kept.join("; "), "needsConfirmation": false}});
        if let Some(first) = edit.pointer_mut("/documentChanges/0/edits/0") {
            first["annotationId"] = json!("kept");
        }
    }
    edit
}
