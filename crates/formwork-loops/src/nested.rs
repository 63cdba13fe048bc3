//! Collections of nested loops that are written with the module language: they are known only with the items of the
//! surrounding loops (reference/modules/copies.md#fn-foreach). An expansion requests those that it finds, its caller
//! computes them, and the next expansion goes one level deeper.

use formwork_syntax::{Kind, NodeId, Tree, flags};
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::Expander;
use super::parts::Loop;

/// A collection as it is written, and its content in an iteration.
type Key = (NodeId, String);

/// Collections of nested loops that an expansion requested, and those that are known.
#[derive(Debug, Default)]
pub struct NestedCollections {
    known: FxHashMap<Key, NodeId>,
    asked: IndexMap<Key, NodeId, FxBuildHasher>,
}

impl NestedCollections {
    /// Returns the last requested collection that is not known.
    pub fn next(&self) -> Option<NodeId> {
        self.asked.last().map(|(_, &node)| node)
    }

    /// Stores the value of the collection that [`Self::next`] returned.
    pub fn answer(&mut self, value: NodeId) {
        if let Some((key, _)) = self.asked.pop() {
            self.known.insert(key, value);
        }
    }
}

/// The collections of nested loops in an expansion.
#[derive(Debug)]
pub enum Nesting<'n> {
    /// They are computed as they are written.
    Plain,
    /// Requests unknown ones, which have no items.
    Asking(&'n mut NestedCollections),
    /// Those that were computed are used.
    Known(&'n NestedCollections),
}

impl Expander<'_, '_> {
    /// Returns the node from which the collection of a loop is evaluated, which is `node` in this iteration; `None`
    /// when it is requested.
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
