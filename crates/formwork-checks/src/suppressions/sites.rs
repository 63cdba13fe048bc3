//! Places of the nodes of files.

use formwork_base::Span;
use formwork_syntax::{NodeId, Tree, View};

/// Calls `visit` for every authored node that begins something: an entry with its key, an item of a list, a call.
/// `visit` takes the place of the whole, without the keys around it.
pub(super) fn visit(tree: &Tree, mut visit: impl FnMut(Span)) {
    for node in nodes(tree).filter(|&node| !tree.is_generated(node)) {
        match tree.view(node) {
            View::Map => tree.entries(node).for_each(|entry| visit(whole(tree, entry.key, entry.value))),
            View::List(items) => items.iter().for_each(|&item| visit(tree.site(item))),
            View::Call(_, argument) => visit(tree.span(node).join(tree.site(argument))),
            _ => {}
        }
    }
}

/// Returns all nodes of a tree, in the order of their creation.
pub(super) fn nodes(tree: &Tree) -> impl Iterator<Item = NodeId> {
    (1..=tree.node_count() as u32).filter_map(|number| tree.node(number))
}

pub(super) fn whole(tree: &Tree, key: NodeId, value: NodeId) -> Span {
    let (key, value) = (tree.span(key), tree.site(value));
    if value.is_none() || value.start() < key.end() { key } else { key.join(value) }
}
