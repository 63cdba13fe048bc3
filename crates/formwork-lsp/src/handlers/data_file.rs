//! Answers in files that pass values to templates: parameters files, `samconfig.toml` and `formwork.toml`.

use formwork::disk::without_dots;
use formwork_ide::RenameError;
use formwork_ide::data_files::{self, Declared, ParameterUse};
use formwork_ide::hover::hover as ide_hover;
use formwork_ide::markdown::words;
use serde_json::{Value, json};

use super::contents::contents;
use super::proposals::list;
use super::{renaming, uses};
use crate::at::At;
use crate::data::Data;
use crate::document::name_of;
use crate::params::{InDocument, Location, Range};
use crate::response::{Answer, Failure, REQUEST_FAILED};
use crate::uri;
use crate::world::relative;

fn offset(data: &Data<'_>, params: &InDocument) -> Result<u32, Failure> {
    let position = params.position.ok_or_else(|| Failure::params("no position"))?;
    Ok(data.offset(position))
}

/// The templates that declare a parameter, each with the offset of the declaration.
fn declared<'v>(data: &Data<'v>, used: &ParameterUse) -> Result<Vec<(At<'v>, u32)>, Failure> {
    let mut found = Vec::new();
    for path in data.templates(Some(used)) {
        let Some(at) = At::of_path(data.view, &path)? else { continue };
        let index = at.ide.file(&at.file);
        if let Some(range) = index.and_then(|index| data_files::declaration(index, &used.name)) {
            found.push((at, range.start));
        }
    }
    Ok(found)
}

/// A parameter is described as in its template, a setting by its format.
pub(super) fn hover(data: &Data<'_>, params: &InDocument) -> Answer {
    let offset = offset(data, params)?;
    if let Some(used) = data.file.use_at(offset) {
        for (at, declared) in declared(data, used)? {
            if let Some(found) = ide_hover(&at.ide, &at.file, declared) {
                let from = format!("declared in {}", words(&name_of(&at.path)));
                let markdown = format!("{}\n\n{from}", found.markdown);
                return Ok(json!({"contents": contents(data.view, &markdown), "range": data.range(&used.range)}));
            }
        }
    }
    match data_files::hover(data.file.kind, &data.text, offset) {
        Some((range, markdown)) => Ok(json!({"contents": contents(data.view, &markdown), "range": data.range(&range)})),
        None => Ok(Value::Null),
    }
}

pub(super) fn definition(data: &Data<'_>, params: &InDocument) -> Answer {
    let offset = offset(data, params)?;
    let links = data.view.client.can("/textDocument/definition/linkSupport");
    let made = |origin: &std::ops::Range<u32>, target: String, range: Range| {
        if !links {
            return json!({"uri": target, "range": range});
        }
        json!({
            "originSelectionRange": data.range(origin),
            "targetUri": target,
            "targetRange": range,
            "targetSelectionRange": range,
        })
    };
    if let Some(named) = data.file.path_at(offset) {
        let target = data.named_file(&named.path);
        return Ok(target
            .map(|target| made(&named.range, uri::of_path(&target), Range::default()))
            .into_iter()
            .collect());
    }
    let Some(used) = data.file.use_at(offset) else { return Ok(json!([])) };
    let places = declared(data, used)?;
    let location = |(at, start): &(At<'_>, u32)| {
        made(&used.range, at.uri(&at.file), at.range(*start, *start + used.name.len() as u32))
    };
    Ok(places.iter().map(location).collect())
}

pub(super) fn references(data: &Data<'_>, params: &InDocument, includes: bool) -> Result<Vec<Location>, Failure> {
    let offset = offset(data, params)?;
    let Some(used) = data.file.use_at(offset) else { return Ok(Vec::new()) };
    let mut found: Vec<Location> = Vec::new();
    for (at, start) in declared(data, used)? {
        for location in uses::of_name(data.view, &at, start, includes)? {
            if !found.contains(&location) {
                found.push(location);
            }
        }
    }
    Ok(found)
}

pub(super) fn highlight(data: &Data<'_>, params: &InDocument) -> Answer {
    let offset = offset(data, params)?;
    let Some(used) = data.file.use_at(offset) else { return Ok(json!([])) };
    let same = data.file.uses.iter().filter(|other| other.name == used.name && other.template == used.template);
    Ok(same.map(|other| json!({"range": data.range(&other.range), "kind": 2})).collect())
}

fn only<'v>(data: &Data<'v>, used: &ParameterUse) -> Result<(At<'v>, u32), Failure> {
    let refuse = |why: String| Failure::new(REQUEST_FAILED, why);
    let mut places = declared(data, used)?;
    if places.len() > 1 {
        let names: Vec<String> = places.iter().map(|(at, _)| name_of(&at.path)).collect();
        let names = names.join(" and ");
        return Err(refuse(format!("{} is declared in {names}: rename it in one of them", used.name)));
    }
    places.pop().ok_or_else(|| refuse(format!("{} is not declared in a template of this file", used.name)))
}

pub(super) fn prepare_rename(data: &Data<'_>, params: &InDocument) -> Answer {
    let offset = offset(data, params)?;
    let used = data.file.use_at(offset).ok_or(RenameError::NotAName)?;
    only(data, used)?;
    Ok(json!({"range": data.range(&used.range), "placeholder": used.name}))
}

pub(super) fn rename(data: &Data<'_>, params: &InDocument, new: &str) -> Answer {
    let offset = offset(data, params)?;
    let used = data.file.use_at(offset).ok_or(RenameError::NotAName)?;
    let (at, start) = only(data, used)?;
    renaming::of_name(data.view, &at, start, new)
}

pub(super) fn links(data: &Data<'_>) -> Answer {
    let link = |named: &data_files::NamedPath| {
        let target = data.named_file(&named.path)?;
        Some(json!({"range": data.range(&named.range), "target": uri::of_path(&target)}))
    };
    Ok(data.file.paths.iter().filter_map(link).collect())
}

pub(super) fn completion(data: &Data<'_>, params: &InDocument) -> Answer {
    let offset = offset(data, params)?;
    let mut all = Declared::default();
    for path in data.templates(None) {
        let (session, root) = data.view.session(&path);
        let own = session.snapshot().index(&root).map(|index| data_files::declared_parameters(&index));
        for parameter in own.unwrap_or_default() {
            if !all.parameters.iter().any(|known| known.name == parameter.name) {
                all.parameters.push(parameter);
            }
        }
    }
    let folder = data.view.roots.folder_of(&data.path).unwrap_or_else(|| data.folder());
    let files =
        data.view.scanned.below(folder).map(|path| relative(&without_dots(path), data.folder()).as_str().to_owned());
    all.files = files.collect();
    let found = data_files::completion(&data.file, &data.text, offset, &all);
    let range = found.first().map(|one| data.range(&(one.edit.start..one.edit.end))).unwrap_or_default();
    Ok(list(data.view, &found, &range))
}
