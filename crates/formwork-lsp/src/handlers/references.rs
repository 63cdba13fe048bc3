//! `textDocument/references`.

use std::collections::BTreeSet;

use formwork::FileRange;
use formwork_ide::references::{importers, references};
use serde_json::Value;

use super::expanded;
use crate::at::At;
use crate::params::{self, InDocument, Location};
use crate::response::{Failure, written};
use crate::view::View;
use crate::world::{absolute, relative};

pub(crate) fn handle(view: &View, params: Value) -> Result<String, Failure> {
    let includes = params.pointer("/context/includeDeclaration").and_then(Value::as_bool).unwrap_or(false);
    let params: InDocument = params::read(params)?;
    if expanded::is_view(&params.text_document.uri) {
        return written(&expanded::references(view, &params)?);
    }
    let Some((at, offset)) = At::position(view, &params)? else { return Ok("[]".to_owned()) };
    let mut found = Found::default();
    for used in references(&at.ide, &at.file, offset) {
        found.add(&at, &used.range, used.is_declaration);
    }
    // Other templates of the workspace may import the file that declares it.
    let target = at.ide.project().symbol_at(&at.file, offset).and_then(|symbol| symbol.declared);
    let is_first_line = at.lines().is_some_and(|lines| lines.index.line(offset) == 0);
    let folder = at.path.parent().unwrap_or(&at.path).to_owned();
    let target = match target {
        Some(target) => Some(target),
        None if is_first_line => Some(FileRange::new(at.file.clone(), 0, 0)),
        None => None,
    };
    if let Some(target) = target {
        let file = absolute(&target.file, &folder);
        let others = other_templates(view, &at)?;
        for other in std::iter::once(&at).chain(&others) {
            let own = relative(&file, other.path.parent().unwrap_or(&other.path));
            if other.ide.file(&own).is_none() {
                continue;
            }
            if target.start == target.end {
                for range in importers(&other.ide, &own) {
                    found.add(other, &range, false);
                }
                continue;
            }
            for used in references(&other.ide, &own, target.start) {
                found.add(other, &used.range, used.is_declaration);
            }
        }
    }
    let locations = found.all.into_iter().filter(|(_, is_declaration)| includes || !is_declaration);
    written(&locations.map(|(location, _)| location).collect::<Vec<_>>())
}

/// The other templates of the same workspace directory, compiled.
///
/// # Errors
/// When the state is outdated.
pub(crate) fn other_templates<'v>(view: &'v View, at: &At<'_>) -> Result<Vec<At<'v>>, Failure> {
    let mut others = Vec::new();
    let Some(folder) = view.roots.folder_of(&at.path) else { return Ok(others) };
    for path in view.scanned.below(folder).filter(|path| *path != at.path) {
        others.extend(At::of(view, &crate::uri::of_path(path))?);
    }
    Ok(others)
}

/// Places, each once, in their order.
#[derive(Default)]
struct Found {
    known: BTreeSet<Location>,
    all: Vec<(Location, bool)>,
}

impl Found {
    fn add(&mut self, at: &At<'_>, range: &FileRange, is_declaration: bool) {
        let location = at.location(range);
        if self.known.insert(location.clone()) {
            self.all.push((location, is_declaration));
        }
    }
}
