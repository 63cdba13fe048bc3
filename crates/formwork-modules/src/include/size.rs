//! Sizes of trees with shared subtrees counted at each of their places.

use formwork_syntax::{Kind, NodeId, Tree};

/// Number of nodes of a tree, and depth of its nested lists, mappings and calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Size {
    pub(super) nodes: u64,
    pub(super) depth: usize,
}

impl Size {
    pub(super) fn with(self, content: Size, depth: usize) -> Size {
        Size { nodes: self.nodes.saturating_add(content.nodes), depth: self.depth.max(depth + content.depth) }
    }
}

/// Returns the size of the tree below a node that was read from a file. The recursion is bounded by the depth limit of
/// a file.
pub(super) fn of(tree: &Tree, node: NodeId) -> Size {
    let mut size = Size { nodes: 1, depth: 0 };
    let mut below = |child: NodeId| {
        let child = of(tree, child);
        size = Size { nodes: size.nodes + child.nodes, depth: size.depth.max(child.depth) };
    };
    match tree.kind(node) {
        Kind::List => tree.items(node).iter().for_each(|&item| below(item)),
        Kind::Map => tree.entries(node).for_each(|entry| below(entry.value)),
        Kind::Call => below(tree.call(node).1),
        _ => return size,
    }
    Size { depth: size.depth + 1, ..size }
}
