//! Loops around a resource or import with a `ForEach`: the variables of its copies are replaced later
//! (reference/modules/copies.md#variables), and the items that a loop inserts beside them must not hide them until
//! then.

use formwork_syntax::{Entry, Kind, NodeId, Origin, View};

use super::Expander;
use super::parts::Loop;
use crate::copy_names::{END, names_copies};

/// Variables of copies that are words in any string: the others are the whole string.
const IN_TEXT: [&str; 2] = ["Identifier", "Index"];

impl Expander<'_, '_> {
    /// Returns `true` for a node with a `ForEach` that the module language expands after the loops.
    pub(super) fn is_copied(&self, node: NodeId) -> bool {
        let tree = &*self.ev.tree;
        self.rules.is_used && tree.kind(node) == Kind::Map && tree.get_text(node, "ForEach").is_some()
    }

    /// Returns `true` when a value depends on the items of a surrounding `ForEach`, so that it is not computed now.
    pub(super) fn waits_for_copies(&self, node: NodeId) -> bool {
        self.copied.is_inside && self.names_item(node)
    }

    fn names_item(&self, node: NodeId) -> bool {
        let tree = &*self.ev.tree;
        match tree.view(node) {
            View::String(text) => names_copies(text),
            _ => tree.child_nodes(node).any(|child| self.names_item(child)),
        }
    }

    /// Returns a string in which no item of a loop lengthens `$Identifier` or `$Index`.
    pub(super) fn with_words_apart(&mut self, text: NodeId) -> NodeId {
        if !self.copied.is_inside {
            return text;
        }
        let Some(written) = self.ev.tree.string(text) else { return text };
        let mut made = written.to_owned();
        for (name, mark) in IN_TEXT.iter().flat_map(|name| [(name, "${"), (name, "&{")]) {
            let word = format!("${name}{mark}");
            if made.contains(&word) {
                made = made.replace(&word, &format!("${name}{END}{mark}"));
            }
        }
        if made == written { text } else { self.ev.tree.computed(&made, Origin::Generated(text, self.frame)) }
    }

    /// Returns `true` for a loop that is run for each copy: its items are in those of a `ForEach`, or it is in such a
    /// loop.
    pub(super) fn waits(&self, collection: NodeId) -> bool {
        self.copied.is_inside && (self.copied.is_waiting || self.names_item(collection))
    }

    pub(super) fn is_waiting_loop(&self, entry: Entry) -> bool {
        let is_good = self.rules.for_each && !self.left.contains(&entry.key) && !self.bad.contains(&entry.key);
        is_good && Loop::for_each(self.ev.tree, entry).is_some_and(|of| self.waits(of.collection))
    }
}
