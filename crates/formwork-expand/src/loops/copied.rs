//! Loops around a resource or import with a `ForEach`: the variables of its copies are put in later
//! (reference/modules/copies.md#variables), and what a loop puts in beside them does not hide them until then.

use formwork_syntax::{Entry, Kind, NodeId, Origin, View};

use super::Expander;
use super::parts::Loop;
use crate::copy_names::{END, names_copies};

/// Variables of copies that are a word in any string: the others are the whole string.
const IN_TEXT: [&str; 2] = ["Identifier", "Index"];

impl Expander<'_, '_> {
    /// Whether a node has a `ForEach` that the module language expands after the loops.
    pub(super) fn is_copied(&self, node: NodeId) -> bool {
        let tree = &*self.ev.tree;
        self.rules.is_used && tree.kind(node) == Kind::Map && tree.get_text(node, "ForEach").is_some()
    }

    /// Whether a value depends on the items of a `ForEach` around it, so that nothing is computed of it now.
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

    /// A text in which no item of a loop lengthens `$Identifier` or `$Index`.
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

    /// Whether a loop is run for each copy: its items are in those of a `ForEach`, or it is in such a loop.
    pub(super) fn waits(&self, collection: NodeId) -> bool {
        self.copied.is_inside && (self.copied.is_waiting || self.names_item(collection))
    }

    /// The same for the `Fn::ForEach` of an entry.
    pub(super) fn is_waiting_loop(&self, entry: Entry) -> bool {
        let is_good = self.rules.for_each && !self.left.contains(&entry.key) && !self.bad.contains(&entry.key);
        is_good && Loop::for_each(self.ev.tree, entry).is_some_and(|of| self.waits(of.collection))
    }
}
