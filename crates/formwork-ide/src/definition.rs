//! Go to definition.

use formwork::query::SymbolUse;
use formwork::{FileRange, VirtualPath};

use crate::{Ide, links, mapping_keys, nested};

/// The declaration of a name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The name under the cursor.
    pub origin: FileRange,
    /// The whole declaration.
    pub target: FileRange,
    /// The declared name.
    pub name: FileRange,
}

/// Returns the declarations of the name at an offset. A logical ID that a loop generates leads to the key in the
/// fragment and, second, to the item of its iteration. Outputs and parameters of a nested stack are declared in its
/// template.
pub fn definition(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Vec<Definition> {
    if let Some([origin, target, name]) = nested::definition(ide, file, offset) {
        return vec![Definition { origin, target, name }];
    }
    let project = ide.project();
    let Some((symbol, origin)) = project.symbol_at(file, offset).zip(project.name_at(file, offset)) else {
        return of_mapping_key(ide, file, offset).or_else(|| of_link(ide, file, offset)).unwrap_or_default();
    };
    let mut found = Vec::new();
    if let (Some(name), Some(target)) = (symbol.declared, symbol.declaration) {
        let item = item_of(ide, &origin);
        found.push(Definition { origin: origin.clone(), target, name });
        found.extend(item.map(|item| Definition { origin, target: item.clone(), name: item }));
    }
    found
}

/// The declarations of a key of a mapping: a key of the second level has one for each first-level key.
fn of_mapping_key(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Option<Vec<Definition>> {
    let key = mapping_keys::mapping_key_at(ide, file, offset)?;
    let origin = FileRange::new(file.clone(), key.range.start, key.range.end);
    let places = mapping_keys::places(ide, file, &key).into_iter().filter(|place| place.is_declaration);
    let definition =
        |place: SymbolUse| Definition { origin: origin.clone(), target: place.range.clone(), name: place.range };
    Some(places.map(definition).collect())
}

/// The file of a path, such as a `TemplateURL`.
fn of_link(ide: &Ide<'_>, file: &VirtualPath, offset: u32) -> Option<Vec<Definition>> {
    let all = links::links(ide, file).into_iter();
    let mut here = all.filter(|link| link.range.start <= offset && offset <= link.range.end);
    let (link, target) = here.find_map(|link| match &link.target {
        links::LinkTarget::File(target) => Some((link.clone(), target.clone())),
        links::LinkTarget::Address(_) => None,
    })?;
    let origin = FileRange::new(file.clone(), link.range.start, link.range.end);
    let start = FileRange::new(target, 0, 0);
    Some(vec![Definition { origin, target: start.clone(), name: start }])
}

/// The item in the collection of the innermost loop that generated the logical ID written at `origin`.
fn item_of(ide: &Ide<'_>, origin: &FileRange) -> Option<FileRange> {
    let generated = ide.expansion()?.id(ide.text_of(origin))?;
    let (_, item) = generated.items.last()?.split_once('=')?;
    let site = generated.generated_by.iter().rev();
    let mut loops =
        site.filter_map(|site| ide.project().loops(&site.file).into_iter().find(|one| one.declared == *site));
    let collection = loops.find_map(|one| one.collection)?;
    let text = ide.text_of(&collection);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let is_whole = |at: usize| {
        let (before, after) = (text.get(..at), text.get(at + item.len()..));
        !before.is_some_and(|before| before.ends_with(is_part))
            && !after.is_some_and(|after| after.starts_with(is_part))
    };
    let (at, _) = text.match_indices(item).find(|(at, _)| is_whole(*at))?;
    let start = collection.start + at as u32;
    Some(FileRange::new(collection.file, start, start + item.len() as u32))
}
