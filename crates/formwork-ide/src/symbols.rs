//! The outline of a file.

use formwork::query::{GeneratedId, OutlineItem, SymbolKind};
use formwork::{FileRange, VirtualPath};

use crate::Ide;

/// An entry of the outline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineSymbol {
    /// The kind.
    pub kind: SymbolKind,
    /// The name.
    pub name: String,
    /// The type of a resource or parameter, the source of an import, the items of a generated ID.
    pub detail: Option<String>,
    /// The range of the whole entry.
    pub range: FileRange,
    /// The range of the key.
    pub name_range: FileRange,
    /// The entries below it.
    pub children: Vec<OutlineSymbol>,
}

const MOST: usize = 50;

/// Returns the outline of a file: sections, their entries, and the names that loops and imports generate as children.
pub fn symbols(ide: &Ide<'_>, file: &VirtualPath) -> Vec<OutlineSymbol> {
    let made = Made::new(ide, file);
    ide.project().outline(file).into_iter().map(|item| symbol(&made, item)).collect()
}

fn symbol(all: &Made<'_>, item: OutlineItem) -> OutlineSymbol {
    let mut children: Vec<OutlineSymbol> = item.children.into_iter().map(|child| symbol(all, child)).collect();
    if matches!(item.kind, SymbolKind::Loop | SymbolKind::Import) {
        let made = all.by(&item.declared).into_iter().take(MOST);
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

/// The names that loops and imports of a file generated, by their places.
struct Made<'i> {
    ids: &'i [GeneratedId],
    /// Start and end of a loop or import, and the number of the name; by start.
    sites: Vec<(u32, u32, usize)>,
    /// The greatest end of all sites up to each one.
    reach: Vec<u32>,
}

impl<'i> Made<'i> {
    fn new(ide: &'i Ide<'_>, file: &VirtualPath) -> Made<'i> {
        let ids = ide.expansion().map_or(&[][..], |expansion| expansion.ids());
        let of = |(number, id): (usize, &'i GeneratedId)| {
            let own = id.generated_by.iter().filter(|site| site.file == *file);
            own.map(move |site| (site.start, site.end, number)).collect::<Vec<_>>()
        };
        let mut sites: Vec<(u32, u32, usize)> = ids.iter().enumerate().flat_map(of).collect();
        sites.sort_unstable();
        sites.dedup();
        let furthest = |furthest: &mut u32, site: &(u32, u32, usize)| {
            *furthest = (*furthest).max(site.1);
            Some(*furthest)
        };
        let reach = sites.iter().scan(0, furthest).collect();
        Made { ids, sites, reach }
    }

    /// The names that the loop or import with this key generated, in the order of the output.
    fn by(&self, name: &FileRange) -> Vec<&'i GeneratedId> {
        let first_behind = self.sites.partition_point(|site| site.0 <= name.start);
        let before = self.sites.iter().zip(&self.reach).take(first_behind).rev();
        let around = before.take_while(|(_, reach)| **reach >= name.end).filter(|(site, _)| name.end <= site.1);
        let mut numbers: Vec<usize> = around.map(|(site, _)| site.2).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().filter_map(|number| self.ids.get(number)).collect()
    }
}

/// The names that the loop or import with this key generated.
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

/// Returns `true` if `name` contains the letters of `query` in their order, ignoring case.
pub fn matches_query(name: &str, query: &str) -> bool {
    let mut letters = name.chars().flat_map(char::to_lowercase);
    query.chars().flat_map(char::to_lowercase).all(|wanted| letters.any(|letter| letter == wanted))
}
