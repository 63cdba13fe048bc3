//! How large a tree is, its shared subtrees counted at each of their places.

use formwork_syntax::{Kind, NodeId, Tree};

/// Nodes of a tree, and its nested lists, maps and calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Size {
    pub(super) nodes: u64,
    pub(super) depth: usize,
}

impl Size {
    /// The size with `content` put in at a depth.
    pub(super) fn with(self, content: Size, depth: usize) -> Size {
        Size { nodes: self.nodes.saturating_add(content.nodes), depth: self.depth.max(depth + content.depth) }
    }
}

/// The size of the tree below a node, as it was read from a file: no deeper than a file may be.
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
