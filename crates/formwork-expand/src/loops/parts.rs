//! Loops as they are written (reference/for-each.md#layout, reference/map-and-merge.md#map-members).

use formwork_syntax::function::{self, Known};
use formwork_syntax::{Entry, Kind, NodeId, Tree, symbol};

/// Default name of the variable that holds the number of the item of an `Fn::Map`.
pub(super) const INDEX: &str = "Index";
/// Default name of the variable that holds its item.
pub(super) const VALUE: &str = "Value";

/// A loop of either kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loop {
    /// Whether it is an `Fn::Map`, and no `Fn::ForEach`.
    pub(super) is_map: bool,
    /// What it is known by: the key of an `Fn::ForEach`, the call of an `Fn::Map`.
    pub(super) id: NodeId,
    /// The place of the loop: that key, or the name of the function.
    pub(super) site: NodeId,
    /// The name of the variable for the number of the item, or its key in an object.
    pub(super) position: Option<NodeId>,
    /// The name of the variable for the item.
    pub(super) variable: Option<NodeId>,
    pub(super) collection: NodeId,
    /// What is made of each item.
    pub(super) fragment: NodeId,
    /// The key of an `Fn::Map`.
    pub(super) key: Option<NodeId>,
    /// The condition of an iteration of an `Fn::Map`.
    pub(super) when: Option<NodeId>,
}

impl Loop {
    /// The `Fn::ForEach` of an entry of an object; `None` when it is not one, or has not three parts.
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

    /// The `Fn::Map` that a node is; `None` when it is none, or has no `Collection` or no `Fragment`.
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

    /// The `Fn::Map` without a key that a node is: it generates elements and no keys.
    pub(super) fn of_items(tree: &Tree, node: NodeId) -> Option<Loop> {
        Loop::map(tree, node).filter(|of| of.key.is_none())
    }

    /// The loop that an item of a list is: an object with nothing but an `Fn::ForEach` that generates items.
    pub(super) fn in_list(tree: &Tree, item: NodeId) -> Option<(Entry, Loop)> {
        let is_alone = tree.kind(item) == Kind::Map && tree.len(item) == 1;
        let entry = is_alone.then(|| tree.entry(item, 0))?;
        Some((entry, Loop::for_each(tree, entry).filter(|of| tree.kind(of.fragment) == Kind::List)?))
    }

    /// The name of an `Fn::ForEach`, or `Fn::Map`.
    pub(super) fn name<'t>(&self, tree: &'t Tree) -> &'t str {
        function::loop_name(tree.text(self.site)).unwrap_or(Known::Map.long())
    }

    /// The names of its variables: of the position, and of the item.
    pub(super) fn variables<'t>(&self, tree: &'t Tree) -> (Option<&'t str>, &'t str) {
        let position = self.position.map(|name| tree.text(name)).or(self.is_map.then_some(INDEX));
        (position, self.variable.map_or(VALUE, |name| tree.text(name)))
    }
}
