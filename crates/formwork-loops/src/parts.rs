//! Parts of loops as they are written (reference/for-each.md#layout, reference/map-and-merge.md#map-members).

use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Kind, NodeId, Tree, symbol};

pub(super) const INDEX: &str = "Index";
pub(super) const VALUE: &str = "Value";

#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// `true` for an `Fn::Map`, `false` for an `Fn::ForEach`.
    pub(super) is_map: bool,
    /// The identity of the loop: the key of an `Fn::ForEach`, the call of an `Fn::Map`.
    pub(super) id: NodeId,
    /// The place of the loop: that key, or the name of the function.
    pub(super) site: NodeId,
    /// The name of the variable for the number of the item, or its key in an object.
    pub(super) position: Option<NodeId>,
    pub(super) variable: Option<NodeId>,
    pub(super) collection: NodeId,
    pub(super) fragment: NodeId,
    pub(super) key: Option<NodeId>,
    pub(super) when: Option<NodeId>,
}

impl Loop {
    /// Returns the `Fn::ForEach` of an entry of an object; `None` for another entry, or without three parts.
    pub(super) fn for_each(tree: &Tree, entry: Entry) -> Option<Loop> {
        tree.loop_name(entry.key)?;
        let &[identifier, collection, fragment] = tree.items(entry.value) else { return None };
        let (position, variable) = match *tree.items(identifier) {
            [position, variable] => (Some(position), variable),
            _ => (None, identifier),
        };
        let variable = Some(variable);
        let (id, site) = (entry.key, entry.key);
        Some(Loop { is_map: false, id, site, position, variable, collection, fragment, key: None, when: None })
    }

    /// Returns the loop of an `Fn::Map`; `None` for another node, or without `Collection` or `Fragment`.
    pub(super) fn map(tree: &Tree, call: NodeId) -> Option<Loop> {
        let argument = tree.argument_of(call, Known::Map)?;
        Some(Loop {
            is_map: true,
            id: call,
            site: tree.call_name(call),
            position: tree.get(argument, symbol::INDEX),
            variable: tree.get(argument, symbol::VALUE),
            collection: tree.get(argument, symbol::COLLECTION)?,
            fragment: tree.get(argument, symbol::FRAGMENT)?,
            key: tree.get(argument, symbol::KEY),
            when: tree.get(argument, symbol::WHEN),
        })
    }

    /// Returns the loop of an `Fn::Map` without a key: it generates elements and no keys.
    pub(super) fn of_items(tree: &Tree, node: NodeId) -> Option<Loop> {
        Loop::map(tree, node).filter(|of| of.key.is_none())
    }

    pub(super) fn in_list(tree: &Tree, item: NodeId) -> Option<(Entry, Loop)> {
        let is_alone = tree.kind(item) == Kind::Map && tree.len(item) == 1;
        let entry = is_alone.then(|| tree.entry(item, 0))?;
        Some((entry, Loop::for_each(tree, entry).filter(|of| tree.kind(of.fragment) == Kind::List)?))
    }

    pub(super) fn name<'t>(&self, tree: &'t Tree) -> &'t str {
        function::loop_name(tree.text(self.site)).unwrap_or(Known::Map.long())
    }

    pub(super) fn variables<'t>(&self, tree: &'t Tree) -> (Option<&'t str>, &'t str) {
        let position = self.position.map(|name| tree.text(name)).or(self.is_map.then_some(INDEX));
        (position, self.variable.map_or(VALUE, |name| tree.text(name)))
    }
}
