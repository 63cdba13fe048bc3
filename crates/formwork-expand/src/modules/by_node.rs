//! What is noted of nodes that were made.

use formwork_base::IdMap;
use formwork_syntax::NodeId;

use super::reference::Inserted;

/// Values by node. Most are noted when their nodes are made: these are in the order of the nodes, and need no hashing.
#[derive(Debug)]
pub struct ByNode<V> {
    ordered: Vec<(NodeId, V)>,
    others: IdMap<NodeId, V>,
}

impl<V> Default for ByNode<V> {
    fn default() -> ByNode<V> {
        ByNode { ordered: Vec::new(), others: IdMap::default() }
    }
}

impl<V> ByNode<V> {
    /// Notes the value of a node, in the place of another one if it has one.
    pub(super) fn insert(&mut self, node: NodeId, value: V) {
        if self.ordered.last().is_none_or(|&(last, _)| last < node) {
            return self.ordered.push((node, value));
        }
        match self.place(node) {
            Ok(at) => self.ordered[at].1 = value,
            Err(_) => {
                self.others.insert(node, value);
            }
        }
    }

    fn place(&self, node: NodeId) -> Result<usize, usize> {
        self.ordered.binary_search_by_key(&node, |&(node, _)| node)
    }

    /// The value of a node.
    pub fn get(&self, node: &NodeId) -> Option<&V> {
        match self.place(*node) {
            Ok(at) => Some(&self.ordered[at].1),
            Err(_) => self.others.get(node),
        }
    }

    /// Whether a node has a value.
    pub fn contains_key(&self, node: &NodeId) -> bool {
        self.get(node).is_some()
    }

    /// The nodes that have one.
    pub fn keys(&self) -> impl Iterator<Item = &NodeId> {
        self.ordered.iter().map(|(node, _)| node).chain(self.others.keys())
    }
}

/// Values that were inserted into strings, in order.
#[derive(Default, Debug)]
pub struct Parts {
    all: Vec<Inserted>,
    /// Where those of a string are in `all`.
    ranges: ByNode<(u32, u32)>,
}

impl Parts {
    /// Notes what was inserted into a string.
    pub(super) fn insert(&mut self, string: NodeId, parts: impl IntoIterator<Item = Inserted>) {
        let start = self.all.len() as u32;
        self.all.extend(parts);
        self.ranges.insert(string, (start, self.all.len() as u32));
    }

    /// What was inserted into a string.
    pub fn get(&self, string: &NodeId) -> Option<&[Inserted]> {
        let &(start, end) = self.ranges.get(string)?;
        Some(&self.all[start as usize..end as usize])
    }

    /// Whether something was noted for a string.
    pub fn contains_key(&self, string: &NodeId) -> bool {
        self.ranges.contains_key(string)
    }

    /// The strings.
    pub fn keys(&self) -> impl Iterator<Item = &NodeId> {
        self.ranges.keys()
    }
}

#[cfg(test)]
mod tests {
    use formwork_syntax::{FrameId, Kind, Origin, Style, Tree};

    use super::*;

    #[test]
    fn what_is_noted_in_any_order_is_found() {
        let mut tree = Tree::new();
        let authored = Origin::Authored(formwork_base::Span::NONE);
        let first = tree.scalar(Kind::String, Style::Plain, "x", authored);
        let nodes: Vec<NodeId> = (0..5).map(|_| tree.stand_in(first, first, FrameId::NONE)).collect();
        let mut values = ByNode::default();
        for at in [1, 3, 0, 3, 0, 4] {
            values.insert(nodes[at], at * 10 + values.keys().count());
        }
        let found: Vec<Option<usize>> = nodes.iter().map(|node| values.get(node).copied()).collect();
        assert_eq!(found, [Some(3), Some(10), None, Some(33), Some(43)]);
        let mut keys: Vec<NodeId> = values.keys().copied().collect();
        keys.sort_unstable();
        assert_eq!(keys, [nodes[0], nodes[1], nodes[3], nodes[4]]);
    }
}
