//! Collections of loops in loops that are written with the module language: what one names is known only with the items
//! of the loops around it (reference/modules/copies.md#fn-foreach). An expansion asks for those that it meets, whoever
//! runs it computes them, and the next one goes a level deeper.

use formwork_syntax::{Kind, NodeId, Tree, flags};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Expander;
use super::parts::Loop;

/// A collection as it is written, and what it is in an iteration.
type Key = (NodeId, String);

/// Collections of a file that depend on loops around theirs.
#[derive(Debug, Default)]
pub(crate) struct NestedCollections {
    known: FxHashMap<Key, NodeId>,
    /// Those that an expansion met, each with what it is in that iteration.
    asked: IndexMap<Key, NodeId, FxBuildHasher>,
}

impl NestedCollections {
    /// The last one that was asked for and is not known.
    pub(crate) fn next(&self) -> Option<NodeId> {
        self.asked.last().map(|(_, &node)| node)
    }

    /// Notes what the one that [`Self::next`] returned is.
    pub(crate) fn answer(&mut self, value: NodeId) {
        if let Some((key, _)) = self.asked.pop() {
            self.known.insert(key, value);
        }
    }
}

/// What an expansion does with the collections that it meets.
#[derive(Debug)]
pub(crate) enum Nesting<'n> {
    /// They are evaluated as they are.
    Plain,
    /// Those that are not known are asked for, and have no items.
    Asking(&'n mut NestedCollections),
    /// Those that are known have their values.
    Known(&'n NestedCollections),
}

impl Expander<'_, '_> {
    /// What the collection of a loop is evaluated from, where it is `node` in this iteration; nothing when it is asked for.
    pub(super) fn nested_collection(&mut self, of: &Loop, node: NodeId) -> Option<NodeId> {
        let tree = &*self.ev.tree;
        if matches!(self.nesting, Nesting::Plain) || !tree.has(node, flags::HAS_CALL) {
            return Some(node);
        }
        let mut text = String::new();
        add_text(tree, node, &mut text);
        let key = (of.collection, text);
        match &mut self.nesting {
            Nesting::Plain => Some(node),
            Nesting::Known(known) => Some(known.known.get(&key).copied().unwrap_or(node)),
            Nesting::Asking(nested) => {
                let known = nested.known.get(&key).copied();
                if known.is_none() {
                    nested.asked.entry(key).or_insert(node);
                }
                known
            }
        }
    }
}

/// Adds the data of a node as text: that of other data differs.
fn add_text(tree: &Tree, node: NodeId, out: &mut String) {
    let word = |out: &mut String, text: &str| {
        out.push_str(&text.len().to_string());
        out.push(':');
        out.push_str(text);
    };
    match tree.kind(node) {
        Kind::List => {
            out.push('[');
            tree.items(node).iter().for_each(|&item| add_text(tree, item, out));
            out.push(']');
        }
        Kind::Map => {
            out.push('{');
            for entry in tree.entries(node) {
                word(out, tree.text(entry.key));
                add_text(tree, entry.value, out);
            }
            out.push('}');
        }
        Kind::Call => {
            let (function, argument) = tree.call(node);
            word(out, tree.function_name(function));
            add_text(tree, argument, out);
        }
        kind => {
            out.push(if kind == Kind::String { '"' } else { '#' });
            word(out, tree.text_form(node));
        }
    }
}
