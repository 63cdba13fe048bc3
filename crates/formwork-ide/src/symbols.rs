//! What a file declares, as an outline.

use formwork::query::{GeneratedId, OutlineItem, SymbolKind};
use formwork::{FileRange, VirtualPath};

use crate::Ide;

/// An entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineSymbol {
    /// What it is.
    pub kind: SymbolKind,
    /// Its name.
    pub name: String,
    /// The type of a resource or parameter, the source of an import, the items of a generated ID.
    pub detail: Option<String>,
    /// The whole entry.
    pub range: FileRange,
    /// Its key.
    pub name_range: FileRange,
    /// What is in it.
    pub children: Vec<OutlineSymbol>,
}

/// Most children that a loop or an import has in the outline.
const MOST: usize = 50;

/// Returns the outline of a file: sections, their entries, and what loops and imports generate as their children.
pub fn symbols(ide: &Ide<'_>, file: &VirtualPath) -> Vec<OutlineSymbol> {
    ide.project().outline(file).into_iter().map(|item| symbol(ide, item)).collect()
}

fn symbol(ide: &Ide<'_>, item: OutlineItem) -> OutlineSymbol {
    let mut children: Vec<OutlineSymbol> = item.children.into_iter().map(|child| symbol(ide, child)).collect();
    if matches!(item.kind, SymbolKind::Loop | SymbolKind::Import) {
        let made = made_by(ide, &item.declared).take(MOST);
        children.extend(made.map(|made| OutlineSymbol {
            kind: kind_of(made),
            name: made.id.clone(),
            detail: (!made.items.is_empty()).then(|| made.items.join(", ").replace('=', " = ")),
            range: item.declaration.clone(),
            name_range: item.declared.clone(),
            children: Vec::new(),
        }));
    }
    let (range, name_range) = (item.declaration, item.declared);
    OutlineSymbol { kind: item.kind, name: item.name, detail: item.detail, range, name_range, children }
}

/// The names that the loop or import with this name in the text generated.
pub(crate) fn made_by<'i>(ide: &'i Ide<'_>, name: &'i FileRange) -> impl Iterator<Item = &'i GeneratedId> {
    let ids = ide.expansion().map_or(&[][..], |expansion| expansion.ids());
    let is_by = |site: &FileRange| site.file == name.file && site.start <= name.start && name.end <= site.end;
    ids.iter().filter(move |id| id.generated_by.iter().any(is_by))
}

fn kind_of(made: &GeneratedId) -> SymbolKind {
    match made.section.as_str() {
        "Outputs" => SymbolKind::Output,
        "Conditions" => SymbolKind::Condition,
        "Mappings" => SymbolKind::Mapping,
        _ => SymbolKind::Resource,
    }
}

/// Returns every name that the template and its modules declare, and those that loops and imports generate in it.
pub fn names(ide: &Ide<'_>) -> Vec<OutlineSymbol> {
    let files: Vec<VirtualPath> = ide.project().files().map(|index| index.path().clone()).collect();
    let mut found = Vec::new();
    for file in files.iter().filter(|file| **file == *ide.root()) {
        let mut pending = symbols(ide, file);
        while let Some(mut one) = pending.pop() {
            pending.append(&mut one.children);
            if one.kind != SymbolKind::Section {
                found.push(one);
            }
        }
    }
    found.sort_by(|a, b| (&a.name_range, &a.name).cmp(&(&b.name_range, &b.name)));
    found
}

/// Whether the letters of `query` are in `name` in their order, in any case.
pub fn matches_query(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
