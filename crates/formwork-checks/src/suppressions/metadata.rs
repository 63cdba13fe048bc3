//! Suppressions in Metadata, for JSON and for packages: `Metadata: {Formwork: {Allow: [{Code: FW0307}]}}`.

use formwork_base::codes::CodePattern;
use formwork_base::{IdMap, SourceMap, Span};
use formwork_syntax::{Entry, Kind, NodeId, Tree, symbol};

use super::{Scope, Suppression, sites};

pub(super) fn add(tree: &Tree, sources: &SourceMap, all: &mut Vec<Suppression>) {
    if !tree.has_key(symbol::METADATA) || tree.symbols().get("Formwork").is_none_or(|name| !tree.has_key(name)) {
        return;
    }
    let maps: Vec<NodeId> =
        sites::nodes(tree).filter(|&node| tree.kind(node) == Kind::Map && !tree.is_generated(node)).collect();
    let allowing: Vec<(NodeId, NodeId)> = maps.iter().filter_map(|&map| Some((map, allowed(tree, map)?))).collect();
    if allowing.is_empty() {
        return;
    }
    let entries = maps.iter().flat_map(|&map| tree.entries(map));
    let entry_of: IdMap<NodeId, Entry> = entries.map(|entry| (entry.value, entry)).collect();
    for (map, allowed) in allowing {
        // A template has no key around it: its Metadata is for the whole file.
        let own = tree.span(map);
        let is_resource = tree.get(map, symbol::TYPE).is_some();
        let around = if is_resource {
            entry_of.get(&map).map(|entry| sites::whole(tree, entry.key, entry.value)).or(Some(own))
        } else {
            sources.file_of(own).map(|file| sources.span(file))
        };
        for &item in tree.items(allowed) {
            add_item(tree, map, around, item, all);
        }
    }
}

fn allowed(tree: &Tree, map: NodeId) -> Option<NodeId> {
    let metadata = tree.get(map, symbol::METADATA).filter(|&node| tree.kind(node) == Kind::Map)?;
    let own = tree.get_text(metadata, "Formwork").filter(|&node| tree.kind(node) == Kind::Map)?;
    tree.get_text(own, "Allow").filter(|&node| tree.kind(node) == Kind::List && !tree.is_generated(node))
}

fn add_item(tree: &Tree, map: NodeId, around: Option<Span>, item: NodeId, all: &mut Vec<Suppression>) {
    let member = |name| (tree.kind(item) == Kind::Map).then(|| tree.get_text(item, name)).flatten();
    let code = member("Code").unwrap_or(item);
    let text = tree.text_form(code).to_owned();
    let scope = match member("Path") {
        Some(path) => node_at(tree, map, tree.text_form(path)),
        None => around,
    };
    all.push(Suppression {
        pattern: CodePattern::parse(&text),
        text,
        span: tree.span(code),
        reason: member("Reason").map(|reason| tree.text_form(reason).to_owned()),
        removal: None,
        scope: scope.map(Scope::Node),
        instead: None,
    });
}

/// Returns the place at a dotted path below an object: `Properties.Tags.0`.
fn node_at(tree: &Tree, map: NodeId, path: &str) -> Option<Span> {
    let mut place = None;
    let mut node = map;
    for part in path.split('.') {
        let node_before = match tree.kind(node) {
            Kind::Call => tree.call(node).1,
            _ => node,
        };
        (node, place) = match tree.kind(node_before) {
            Kind::Map => {
                let entry = tree.entries(node_before).find(|entry| tree.text(entry.key) == part)?;
                (entry.value, Some(sites::whole(tree, entry.key, entry.value)))
            }
            Kind::List => {
                let item = *tree.items(node_before).get(part.parse::<usize>().ok()?)?;
                (item, Some(tree.site(item)))
            }
            _ => return None,
        };
    }
    place
}
