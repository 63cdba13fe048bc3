//! The authored values that a resource in the result is made from.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use formwork::{Compilation, NodeId, Tree};
use formwork_syntax::{View, symbol};

/// An authored value as a page shows it: the resource or the section, and the property.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Place {
    owner: String,
    property: Option<String>,
}

/// Properties whose entries lead to different resources.
const ENTRIES: [&str; 2] = ["Events", "Routes"];

/// Returns all nodes at and below one.
fn nodes(tree: &Tree, root: NodeId) -> Vec<NodeId> {
    let (mut all, mut open) = (Vec::new(), vec![root]);
    while let Some(node) = open.pop() {
        all.push(node);
        match tree.view(node) {
            View::List(items) => open.extend(items),
            View::Map => open.extend(tree.entries(node).flat_map(|entry| [entry.key, entry.value])),
            View::Call(_, argument) => open.extend([tree.call_name(node), argument]),
            _ => {}
        }
    }
    all
}

/// The places of authored nodes, with their order in the file.
struct Places<'t> {
    tree: &'t Tree,
    known: HashMap<NodeId, (usize, Place)>,
    count: usize,
}

impl Places<'_> {
    fn put(&mut self, node: NodeId, owner: &str, property: Option<&str>) {
        let place = Place { owner: owner.to_owned(), property: property.map(str::to_owned) };
        self.count += 1;
        for node in nodes(self.tree, node) {
            self.known.insert(node, (self.count, place.clone()));
        }
    }

    /// Enters the entries of a mapping; a name in front of them belongs to each.
    fn put_entries(&mut self, map: NodeId, owner: &str, front: &str) {
        let tree = self.tree;
        for entry in tree.entries(map) {
            let name = format!("{front}{}", tree.text(entry.key));
            self.put(entry.key, owner, Some(&name));
            self.put(entry.value, owner, Some(&name));
            if ENTRIES.contains(&name.as_str()) {
                self.put_entries(entry.value, owner, &format!("{name}."));
            }
        }
    }

    fn of(compilation: &Compilation) -> Places<'_> {
        let tree = compilation.tree();
        let mut places = Places { tree, known: HashMap::new(), count: 0 };
        let root = compilation.document().root;
        if let Some(globals) = tree.get(root, symbol::GLOBALS) {
            for section in tree.entries(globals) {
                places.put_entries(section.value, "Globals", &format!("{}.", tree.text(section.key)));
            }
        }
        for resource in tree.get(root, symbol::RESOURCES).into_iter().flat_map(|all| tree.entries(all)) {
            let id = tree.text(resource.key);
            places.put(resource.key, id, None);
            places.put(resource.value, id, None);
            for attribute in tree.entries(resource.value) {
                match tree.text(attribute.key) {
                    "Properties" => places.put_entries(attribute.value, id, ""),
                    "Connectors" => places.put_entries(attribute.value, id, "Connectors."),
                    _ => {}
                }
            }
        }
        places
    }
}

/// Returns each resource that the transform made or changed: its ID, its type, and the authored values behind it, in
/// the words of a page.
pub(super) fn resources(compilation: &Compilation) -> Vec<[String; 3]> {
    let tree = compilation.tree();
    let places = Places::of(compilation);
    let resources = tree.get(compilation.root(), symbol::RESOURCES).expect("resources");
    let made = tree.entries(resources).filter_map(|entry| {
        let all = nodes(tree, entry.value);
        if !all.iter().any(|&node| tree.is_generated(node)) {
            return None;
        }
        let authored = all.into_iter().filter_map(|node| places.known.get(&tree.authored(node)));
        let authored: BTreeSet<&(usize, Place)> = authored.collect();
        let kind = tree.get(entry.value, symbol::TYPE).map_or("", |node| tree.text(node));
        Some([tree.text(entry.key).to_owned(), kind.to_owned(), words(&authored)])
    });
    made.collect()
}

/// Returns owners with their properties; an owner without one is returned by itself.
fn words(places: &BTreeSet<&(usize, Place)>) -> String {
    if places.is_empty() {
        return "the template".to_owned();
    }
    let mut owners: BTreeMap<&str, (usize, Vec<String>)> = BTreeMap::new();
    for (order, place) in places {
        let (first, names) = owners.entry(&place.owner).or_insert((*order, Vec::new()));
        *first = (*first).min(*order);
        if let Some(name) = place.property.as_ref().map(|name| format!("`{name}`")).filter(|name| !names.contains(name))
        {
            names.push(name);
        }
    }
    let mut owners: Vec<_> = owners.into_iter().collect();
    owners.sort_by_key(|(_, (first, _))| *first);
    let of_one = |(owner, (_, names)): (&str, (usize, Vec<String>))| {
        if names.is_empty() { format!("`{owner}`") } else { format!("`{owner}`: {}", names.join(", ")) }
    };
    owners.into_iter().map(of_one).collect::<Vec<_>>().join("; ")
}
