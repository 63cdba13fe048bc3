//! A walk over a tree.

use formwork::tree::Kind;
use formwork::{NodeId, Tree};

#[derive(Clone, Copy)]
pub(crate) struct Visited<'w> {
    pub(crate) node: NodeId,
    pub(crate) key: Option<NodeId>,
    /// The keys that lead to it, without positions in lists and names of functions.
    pub(crate) path: &'w [&'w str],
}

/// Calls `look` for a node and everything below it, in order. The target of an alias is not visited.
pub(crate) fn visit(tree: &Tree, root: NodeId, look: &mut dyn FnMut(Visited<'_>)) {
    let mut path = Vec::new();
    descend(tree, root, None, &mut path, look);
}

fn descend<'t>(
    tree: &'t Tree,
    node: NodeId,
    key: Option<NodeId>,
    path: &mut Vec<&'t str>,
    look: &mut dyn FnMut(Visited<'_>),
) {
    look(Visited { node, key, path });
    if tree.is_alias(node) {
        return;
    }
    match tree.kind(node) {
        Kind::List => tree.items(node).iter().for_each(|&item| descend(tree, item, None, path, look)),
        Kind::Map => {
            for entry in tree.entries(node) {
                path.push(tree.text(entry.key));
                descend(tree, entry.value, Some(entry.key), path, look);
                path.pop();
            }
        }
        Kind::Call => descend(tree, tree.call(node).1, None, path, look),
        _ => {}
    }
}
