//! `formwork/values`, `formwork/contexts` and `formwork/kind`, and the parameters of `formwork/setValues`.

use std::path::{Path, PathBuf};

use formwork::PseudoParameter;
use formwork_ide::values::parameters;
use serde_json::{Map, Value, json};

use crate::at::At;
use crate::context;
use crate::parameter_files::is_parameter_file;
use crate::response::{Answer, Failure};
use crate::uri;
use crate::value_sets::{DEFAULT, Set, sets};
use crate::view::View;
use crate::what_if::WhatIf;

fn path_of(params: &Value) -> Result<(String, PathBuf), Failure> {
    let uri = params.get("uri").and_then(Value::as_str).ok_or_else(|| Failure::params("no uri"))?;
    Ok((uri.to_owned(), uri::to_path(uri)))
}

/// The ID of the set of values with which a template is viewed.
pub(crate) fn set_of(view: &View, path: &Path) -> String {
    if let Some(values) = view.values.get(path) {
        return values.id.clone().unwrap_or_else(|| DEFAULT.to_owned());
    }
    let first = &view.settings_of(path).values;
    // Files are read for the sets, and lenses ask after each change.
    let is_there = first != DEFAULT && sets_of(view, path).iter().any(|set| set.id == *first);
    if is_there { first.clone() } else { DEFAULT.to_owned() }
}

/// Returns the sets of values for a template.
pub(crate) fn sets_of(view: &View, path: &Path) -> Vec<Set> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    sets(&view.reader(), parameter_files(view, path, folder), folder)
}

/// The files of the setting `parameterFiles`, by their paths from the workspace directory.
fn parameter_files(view: &View, template: &Path, folder: &Path) -> Vec<String> {
    let globs = &view.settings_of(template).parameter_files;
    if globs.is_empty() {
        return Vec::new();
    }
    let reader = view.reader();
    let root = reader.folder_of(folder);
    let text = |path: &Path| Some(path.strip_prefix(root).ok()?.to_string_lossy().replace('\\', "/"));
    let scanned = view.scanned.candidates(root).filter_map(text);
    let named = globs.iter().map(|glob| glob.strip_prefix("./").unwrap_or(glob).to_owned());
    let named = named.filter(|path| reader.read(folder, &root.join(path)).is_some());
    let mut files: Vec<String> = scanned.filter(|path| is_parameter_file(globs, path)).chain(named).collect();
    files.sort();
    files.dedup();
    files
}

/// Returns the current values, the existing sets, and the parameters of a template.
pub(crate) fn handle(view: &View, params: Value) -> Answer {
    let (uri, path) = path_of(&params)?;
    let Some(at) = At::of(view, &uri)? else { return Err(Failure::params(format!("{uri} is not a template"))) };
    let current = set_of(view, &path);
    let sets = sets_of(view, &path);
    let sets = sets.iter().map(|set| json!({"id": set.id, "label": set.label, "kind": set.kind}));
    let states = parameters(&at.ide).into_iter().map(|state| {
        let mut made = Map::new();
        made.insert("name".into(), json!(state.name));
        made.insert("type".into(), json!(state.kind));
        let given = state.given.map(formwork::ValueSource::name);
        for (key, value) in [("default", state.default), ("value", state.value), ("given", given.map(str::to_owned))] {
            if let Some(value) = value {
                made.insert(key.into(), json!(value));
            }
        }
        if !state.allowed.is_empty() {
            made.insert("allowedValues".into(), json!(state.allowed));
        }
        made.insert("noEcho".into(), json!(state.no_echo));
        Value::Object(made)
    });
    Ok(json!({"current": current, "sets": sets.collect::<Vec<_>>(), "parameters": states.collect::<Vec<_>>()}))
}

/// Reads the values of `formwork/setValues`.
///
/// # Errors
/// When the set does not exist, or a name is not a pseudo parameter.
pub(crate) fn read(view: &View, path: &Path, params: &Value) -> Result<WhatIf, Failure> {
    let id = params.get("id").and_then(Value::as_str);
    if let Some(id) = id
        && !sets_of(view, path).iter().any(|set| set.id == id)
    {
        return Err(Failure::params(format!("no set of values {id}")));
    }
    let pairs = |key: &str| -> Vec<(String, String)> {
        let object = params.get(key).and_then(Value::as_object);
        let text = |value: &Value| match value {
            Value::String(text) => text.clone(),
            Value::Array(items) => items
                .iter()
                .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                .collect::<Vec<_>>()
                .join(","),
            other => other.to_string(),
        };
        object.into_iter().flatten().map(|(name, value)| (name.clone(), text(value))).collect()
    };
    let mut pseudo = Vec::new();
    for (name, value) in pairs("pseudo") {
        let known = PseudoParameter::from_name(&name);
        pseudo.push((known.ok_or_else(|| Failure::params(format!("{name} is not a pseudo parameter")))?, value));
    }
    let id = id.filter(|id| *id != DEFAULT).map(str::to_owned);
    Ok(WhatIf { id, parameters: pairs("parameters"), pseudo })
}

/// Returns the imports of a module, with the values that they pass.
pub(crate) fn contexts(view: &View, params: Value) -> Answer {
    let (_, path) = path_of(&params)?;
    let found = context::contexts(view, &path)?.into_iter();
    let made = found.map(|context| {
        let root = view.uri_of(&context.root);
        json!({"root": root, "instance": context.instance, "properties": context.properties})
    });
    Ok(made.collect())
}

pub(crate) fn kind(view: &View, params: Value) -> Answer {
    let (_, path) = path_of(&params)?;
    Ok(json!(view.kind(&path).and_then(formwork_ide::kind::DocumentKind::name)))
}
