//! Sets of nodes.

use super::NodeId;

/// A set of nodes, with a bit for each node up to the last one in it. Authored nodes have the first numbers, so that a
/// set of them takes a hundredth of the memory of their tree; a hash table of a few thousands takes more.
#[derive(Clone, Debug, Default)]
pub struct NodeSet {
    words: Vec<u64>,
}

impl NodeSet {
    /// Adds a node, and returns whether it was not in the set.
    #[inline]
    pub fn insert(&mut self, node: NodeId) -> bool {
        let (at, bit) = (node.index() / 64, 1 << (node.index() % 64));
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        let word = &mut self.words[at];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_is_new_once() {
        let mut set = NodeSet::default();
        let nodes = [64, 1, 63, 65, 1000, 2];
        for is_new in [true, false] {
            for number in nodes {
                assert_eq!(set.insert(NodeId::new(number)), is_new, "{number}");
            }
        }
        assert!(set.insert(NodeId::new(3)) && set.insert(NodeId::new(1001)));
    }
}
