//! What a map or list becomes, without a copy of its links while nothing in it changes.

use super::{Entry, NodeId, Tree};

/// The entries of a map so far: none are stored while all are what they were.
#[derive(Debug, Default)]
pub struct Entries {
    stored: Vec<Entry>,
    is_changed: bool,
}

impl Entries {
    /// Adds the entry at this place with a value, or leaves it out. Each place of the map is named once, in order.
    pub fn put(&mut self, tree: &Tree, map: NodeId, at: usize, value: Option<NodeId>) {
        let Entry { key, value: old } = tree.entry(map, at);
        if !self.is_changed {
            if value == Some(old) {
                return;
            }
            self.is_changed = true;
            self.stored.reserve(tree.len(map));
            self.stored.extend((0..at).map(|at| tree.entry(map, at)));
        }
        self.stored.extend(value.map(|value| Entry { key, value }));
    }

    /// All entries, if they are not those of the map.
    pub fn changed(&self) -> Option<&[Entry]> {
        self.is_changed.then_some(&self.stored)
    }
}

/// The items of a list so far: none are stored while all are what they were.
#[derive(Debug, Default)]
pub struct Items {
    stored: Vec<NodeId>,
    is_changed: bool,
}

impl Items {
    /// Adds the item at this place, or leaves it out. Each place of the list is named once, in order.
    pub fn put(&mut self, tree: &Tree, list: NodeId, at: usize, item: Option<NodeId>) {
        let items = tree.items(list);
        if !self.is_changed {
            if item == Some(items[at]) {
                return;
            }
            self.is_changed = true;
            self.stored.reserve(items.len());
            self.stored.extend_from_slice(&items[..at]);
        }
        self.stored.extend(item);
    }

    /// All items, if they are not those of the list.
    pub fn changed(&self) -> Option<&[NodeId]> {
        self.is_changed.then_some(&self.stored)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Kind, Origin, Style};
    use super::*;
    use formwork_base::Span;

    const AUTHORED: Origin = Origin::Authored(Span::NONE);

    #[test]
    fn what_stays_is_not_stored_until_something_changes() {
        let mut tree = Tree::new();
        let nodes: Vec<NodeId> =
            ["a", "b", "c"].iter().map(|text| tree.scalar(Kind::String, Style::Plain, text, AUTHORED)).collect();
        let list = tree.list(&nodes, Style::Plain, AUTHORED);
        let entries: Vec<Entry> =
            nodes.iter().map(|&value| Entry { key: tree.key("k", Style::Plain, AUTHORED), value }).collect();
        let map = tree.map(&entries, Style::Plain, AUTHORED);

        let (mut items, mut kept) = (Items::default(), Entries::default());
        for (at, &node) in nodes.iter().enumerate() {
            items.put(&tree, list, at, Some(node));
            kept.put(&tree, map, at, Some(node));
        }
        assert!(items.changed().is_none() && kept.changed().is_none());

        let (mut items, mut rest) = (Items::default(), Entries::default());
        for (at, value) in [Some(nodes[0]), None, Some(nodes[0])].into_iter().enumerate() {
            items.put(&tree, list, at, value);
            rest.put(&tree, map, at, value);
        }
        assert_eq!(items.changed(), Some(&[nodes[0], nodes[0]][..]));
        assert_eq!(rest.changed(), Some(&[entries[0], Entry { key: entries[2].key, value: nodes[0] }][..]));
    }
}
