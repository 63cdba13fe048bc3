//! Sets of nodes and of symbols.

use std::hash::BuildHasherDefault;

use formwork_base::IdSet;

use super::{Entry, NodeId, Symbol, Tree};

/// A set of nodes, with a bit for each node up to the last one in it. Authored nodes have the first numbers, so that a
/// set of them takes a hundredth of the memory of their tree; a hash table of a few thousands takes more.
#[derive(Clone, Debug, Default)]
pub struct NodeSet {
    bits: Bits,
}

impl NodeSet {
    /// Adds a node, and returns `true` when it was not in the set.
    #[inline]
    pub fn insert(&mut self, node: NodeId) -> bool {
        self.bits.insert(node.index())
    }

    /// Returns `true` when a node is in the set.
    #[inline]
    pub fn contains(&self, node: NodeId) -> bool {
        self.bits.contains(node.index())
    }
}

impl Extend<NodeId> for NodeSet {
    fn extend<I: IntoIterator<Item = NodeId>>(&mut self, nodes: I) {
        for node in nodes {
            self.insert(node);
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Bits {
    words: Vec<u64>,
}

impl Bits {
    #[inline]
    fn insert(&mut self, number: usize) -> bool {
        let (at, bit) = (number / 64, 1 << (number % 64));
        if at >= self.words.len() {
            self.words.resize(at + 1, 0);
        }
        let word = &mut self.words[at];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    #[inline]
    fn contains(&self, number: usize) -> bool {
        self.words.get(number / 64).is_some_and(|word| word & 1 << (number % 64) != 0)
    }
}

impl Tree {
    /// Returns `true` when two of the entries have the same key.
    pub fn has_duplicates(&self, entries: &[Entry]) -> bool {
        let mut symbols = entries.iter().map(|entry| self.symbol(entry.key));
        // Bits are cleared up to the largest number: for a few entries among many symbols that is too much work.
        if entries.len() < self.symbols().count() / 64 {
            let mut seen = IdSet::<Symbol>::with_capacity_and_hasher(entries.len(), BuildHasherDefault::default());
            return symbols.any(|symbol| !seen.insert(symbol));
        }
        let mut seen = Bits::default();
        symbols.any(|symbol| !seen.insert(symbol.number()))
    }
}

#[cfg(test)]
mod tests {
    use formwork_base::Span;

    use super::super::{Origin, Style};
    use super::*;

    #[test]
    fn keys_are_compared_among_few_and_many_symbols() {
        let mut tree = Tree::new();
        let key = |tree: &mut Tree, text: &str| tree.key(text, Style::Plain, Origin::Authored(Span::NONE));
        for count in [10, 20_000] {
            for number in 0..count {
                tree.intern(&format!("name {number}"));
            }
            let mut entries: Vec<Entry> = Vec::new();
            for text in ["a", "name 7", "b"] {
                let key = key(&mut tree, text);
                entries.push(Entry { key, value: key });
            }
            assert!(!tree.has_duplicates(&entries), "{count}");
            let again = key(&mut tree, "name 7");
            entries.push(Entry { key: again, value: again });
            assert!(tree.has_duplicates(&entries), "{count}");
        }
    }

    #[test]
    fn a_node_is_new_once() {
        let mut set = NodeSet::default();
        let nodes = [64, 1, 63, 65, 1000, 2];
        for is_new in [true, false] {
            for number in nodes {
                assert_eq!(set.insert(NodeId::new(number)), is_new, "{number}");
            }
        }
        assert!(set.contains(NodeId::new(64)) && !set.contains(NodeId::new(3)) && !set.contains(NodeId::new(5000)));
        set.extend([NodeId::new(3), NodeId::new(1001)]);
        assert!(set.contains(NodeId::new(3)) && set.contains(NodeId::new(1001)));
    }
}
