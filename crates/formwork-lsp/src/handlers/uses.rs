//! The declarations and uses of a template's name in all files of the workspace.

use std::collections::BTreeSet;
use std::path::PathBuf;

use formwork::FileRange;
use formwork::query::{Symbol, SymbolKind};
use formwork_ide::nested;
use formwork_ide::references::{importers, references};

use crate::at::At;
use crate::data;
use crate::params::Location;
use crate::response::Failure;
use crate::view::View;
use crate::world::{absolute, relative};

/// Returns every place that declares or uses the name at an offset of a template.
///
/// # Errors
/// When the state is outdated.
pub(super) fn of_name(view: &View, at: &At<'_>, offset: u32, includes: bool) -> Result<Vec<Location>, Failure> {
    let mut found = LocationSet::default();
    let symbol = at.ide.project().symbol_at(&at.file, offset);
    let is_first_line = at.lines().is_some_and(|lines| lines.index.line(offset) == 0);
    // A section on the first line has no uses: the line is for the file.
    let symbol = symbol.filter(|symbol| !(is_first_line && symbol.kind == SymbolKind::Section));
    if symbol.is_some() || !is_first_line {
        for used in references(&at.ide, &at.file, offset) {
            found.add(at, &used.range, used.is_declaration);
        }
    }
    // Other templates of the workspace may import the file that declares it.
    let others = other_templates(view, at)?;
    for (section, name, file, _) in symbol.iter().filter_map(|symbol| in_other_files(at, symbol)) {
        for other in std::iter::once(at).chain(&others) {
            let child = relative(&file, other.folder());
            for range in nested::uses(&other.ide, &other.file, &child, section, &name) {
                found.add(other, &range, false);
            }
        }
        if section == "Parameters" {
            for named in data::uses_of(view, &file, &name) {
                found.add_location(named.location, false);
            }
        }
    }
    let target = symbol.and_then(|symbol| symbol.declared);
    let folder = at.path.parent().unwrap_or(&at.path).to_owned();
    let target = match target {
        Some(target) => Some(target),
        None if is_first_line => Some(FileRange::new(at.file.clone(), 0, 0)),
        None => None,
    };
    if let Some(target) = target {
        let file = absolute(&target.file, &folder);
        for other in std::iter::once(at).chain(&others) {
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
    Ok(locations.map(|(location, _)| location).collect())
}

/// For a parameter or output that files other than importers may use: the section, the name, the file and the offset of
/// its declaration.
pub(super) fn in_other_files(at: &At<'_>, symbol: &Symbol) -> Option<(&'static str, String, PathBuf, u32)> {
    let section = match symbol.kind {
        SymbolKind::Parameter => "Parameters",
        SymbolKind::Output => "Outputs",
        _ => return None,
    };
    let declared = symbol.declared.as_ref()?;
    Some((section, symbol.name.clone(), absolute(&declared.file, at.folder()), declared.start))
}

/// Returns the other templates of the same workspace directory, compiled.
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

#[derive(Default)]
struct LocationSet {
    known: BTreeSet<Location>,
    all: Vec<(Location, bool)>,
}

impl LocationSet {
    fn add(&mut self, at: &At<'_>, range: &FileRange, is_declaration: bool) {
        self.add_location(at.location(range), is_declaration);
    }

    fn add_location(&mut self, location: Location, is_declaration: bool) {
        if self.known.insert(location.clone()) {
            self.all.push((location, is_declaration));
        }
    }
}
