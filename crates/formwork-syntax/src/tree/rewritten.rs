//! Rewriting of mappings and lists without a copy of their links while nothing in them changes.

use super::{Entry, NodeId, Origin, Style, Tree};

/// An entry of a mapping, or an item of a list.
pub trait Part: Copy {
    /// Returns the part of a mapping or list at a position.
    fn at(tree: &Tree, node: NodeId, at: usize) -> Self;

    /// Returns the first `count` parts.
    fn first(tree: &Tree, node: NodeId, count: usize) -> impl Iterator<Item = Self>;

    /// Returns the value.
    fn value(self) -> NodeId;

    /// Returns the part with another value.
    #[must_use]
    fn with(self, value: NodeId) -> Self;

    /// Adds a mapping or list of these parts to the tree.
    fn add(tree: &mut Tree, parts: &[Self], style: Style, origin: Origin) -> NodeId;
}

impl Part for Entry {
    #[inline]
    fn at(tree: &Tree, node: NodeId, at: usize) -> Entry {
        tree.entry(node, at)
    }

    #[inline]
    fn first(tree: &Tree, node: NodeId, count: usize) -> impl Iterator<Item = Entry> {
        tree.entries(node).take(count)
    }

    #[inline]
    fn value(self) -> NodeId {
        self.value
    }

    #[inline]
    fn with(self, value: NodeId) -> Entry {
        Entry { value, ..self }
    }

    fn add(tree: &mut Tree, parts: &[Entry], style: Style, origin: Origin) -> NodeId {
        tree.map(parts, style, origin)
    }
}

impl Part for NodeId {
    #[inline]
    fn at(tree: &Tree, node: NodeId, at: usize) -> NodeId {
        tree.items(node)[at]
    }

    #[inline]
    fn first(tree: &Tree, node: NodeId, count: usize) -> impl Iterator<Item = NodeId> {
        tree.items(node)[..count].iter().copied()
    }

    #[inline]
    fn value(self) -> NodeId {
        self
    }

    #[inline]
    fn with(self, value: NodeId) -> NodeId {
        value
    }

    fn add(tree: &mut Tree, parts: &[NodeId], style: Style, origin: Origin) -> NodeId {
        tree.list(parts, style, origin)
    }
}

/// The rewritten parts of a mapping or list so far: none are stored while all are unchanged.
#[derive(Debug)]
pub struct Rewritten<P> {
    stored: Vec<P>,
    is_changed: bool,
}

/// The rewritten entries of a mapping.
pub type Entries = Rewritten<Entry>;

/// The rewritten items of a list.
pub type Items = Rewritten<NodeId>;

impl<P> Default for Rewritten<P> {
    fn default() -> Rewritten<P> {
        Rewritten { stored: Vec::new(), is_changed: false }
    }
}

impl<P: Part> Rewritten<P> {
    /// Adds the part at this place with a value, or leaves it out. Each place is added once, in order.
    #[inline]
    pub fn put(&mut self, tree: &Tree, node: NodeId, at: usize, value: Option<NodeId>) {
        let part = P::at(tree, node, at);
        if !self.is_changed {
            if value == Some(part.value()) {
                return;
            }
            self.is_changed = true;
            self.stored.reserve(tree.len(node));
            self.stored.extend(P::first(tree, node, at));
        }
        if let Some(value) = value {
            self.stored.push(part.with(value));
        }
    }

    /// Returns all parts, if they are not those of the mapping or list.
    #[inline]
    pub fn changed(&self) -> Option<&[P]> {
        self.is_changed.then_some(&self.stored)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Kind;
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
