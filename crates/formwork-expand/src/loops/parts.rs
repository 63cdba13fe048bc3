//! The parts of an `Fn::Map` (reference/map-and-merge.md#map-members).

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Tree, symbol};

/// Default name of the variable that holds the number of the item.
pub(super) const INDEX: &str = "Index";
/// Default name of the variable that holds the item.
pub(super) const VALUE: &str = "Value";

/// What an `Fn::Map` consists of.
#[derive(Clone, Copy, Debug)]
pub(super) struct MapParts {
    pub(super) index: Option<NodeId>,
    pub(super) value: Option<NodeId>,
    pub(super) collection: NodeId,
    pub(super) fragment: NodeId,
    pub(super) key: Option<NodeId>,
    pub(super) when: Option<NodeId>,
}

impl MapParts {
    /// The parts of the argument of `Fn::Map`; `None` when it is no object with a `Collection` and a
    /// `Fragment`.
    pub(super) fn read(tree: &Tree, argument: NodeId) -> Option<MapParts> {
        if tree.kind(argument) != Kind::Map {
            return None;
        }
        Some(MapParts {
            index: tree.get(argument, symbol::INDEX),
            value: tree.get(argument, symbol::VALUE),
            collection: tree.get(argument, symbol::COLLECTION)?,
            fragment: tree.get(argument, symbol::FRAGMENT)?,
            key: tree.get(argument, symbol::KEY),
            when: tree.get(argument, symbol::WHEN),
        })
    }

    /// Whether a node is an `Fn::Map` without a key, which generates items and no members.
    pub(super) fn generates_items(tree: &Tree, node: NodeId) -> bool {
        let parts = tree.argument_of(node, Known::Map).and_then(|argument| MapParts::read(tree, argument));
        parts.is_some_and(|parts| parts.key.is_none())
    }

    /// Names of the variables: of the number, and of the item.
    pub(super) fn names<'t>(&self, tree: &'t Tree) -> (&'t str, &'t str) {
        (self.index.map_or(INDEX, |name| tree.text(name)), self.value.map_or(VALUE, |name| tree.text(name)))
    }
}
