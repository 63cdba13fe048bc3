//! Records the packaged items in the template, for `deploy` to compare (reference/packaging.md#fixed-items).

use formwork_syntax::function::Known;
use formwork_syntax::{NodeId, Style, Tree};

use crate::artifact_property;
use crate::lookup::Lookup;
use crate::value_path::{Edits, NEW, ValuePath, new_text};

const PATH: [&str; 3] = ["Metadata", "Formwork", "Collections"];

/// Records the items of each parameter whose items are keys of a Mapping.
pub(crate) fn put(tree: &mut Tree, root: NodeId, lookups: &[Lookup<'_>], edits: &mut Edits) {
    for (parameter, items) in collections(tree, lookups) {
        let items: Vec<NodeId> = items.iter().map(|item| new_text(tree, item, None)).collect();
        let list = tree.list(&items, Style::Flow, NEW);
        let path: Vec<&str> = PATH.into_iter().chain([parameter.as_str()]).collect();
        let (mut place, mut node) = (ValuePath::default(), Some(root));
        for (at, name) in path.iter().enumerate() {
            let Some((inner, value)) = node.and_then(|node| artifact_property::member(tree, node, &place, name)) else {
                place = place.absent(&path[at..]);
                node = None;
                break;
            };
            (place, node) = (inner, Some(value));
        }
        if node.is_none_or(|written| !tree.same_data(written, list)) {
            edits.put(&place, list);
        }
    }
}

fn collections(tree: &Tree, lookups: &[Lookup<'_>]) -> Vec<(String, Vec<String>)> {
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for lookup in lookups {
        for &at in &lookup.variables {
            let collection = lookup.slot.found.loops[at].collection;
            let name = collection.and_then(|node| tree.argument_of(node, Known::Ref));
            let Some(name) = name.and_then(|name| tree.string(name)) else { continue };
            if found.iter().any(|(known, _)| known == name) {
                continue;
            }
            let mut items: Vec<String> = Vec::new();
            for instance in &lookup.slot.instances {
                if !items.contains(&instance.items[at]) {
                    items.push(instance.items[at].clone());
                }
            }
            found.push((name.to_owned(), items));
        }
    }
    found
}
