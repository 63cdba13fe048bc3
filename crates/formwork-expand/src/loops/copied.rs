//! Loops around a resource or import with a `ForEach`: the variables of its copies are put in later
//! (reference/modules/copies.md#variables), and what a loop puts in beside them does not hide them until then.

use formwork_syntax::{Kind, NodeId, Origin, View};

use super::Expander;
use crate::copy_names::names_copies;

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
        self.in_copied && self.names_item(node)
    }

    fn names_item(&self, node: NodeId) -> bool {
        let tree = &*self.ev.tree;
        match tree.view(node) {
            View::String(text) => names_copies(text),
            _ => tree.children(node).into_iter().any(|child| self.names_item(child)),
        }
    }

    /// The text of an `Fn::Sub` in which no item of a loop lengthens `$Identifier` or `$Index`: one before a placeholder
    /// is `${Identifier}` instead. `map` has the variables of the call itself.
    pub(super) fn with_words_apart(&mut self, text: NodeId, map: Option<NodeId>) -> NodeId {
        if !self.in_copied {
            return text;
        }
        let Some(written) = self.ev.tree.string(text) else { return text };
        let mut made = written.to_owned();
        for name in IN_TEXT {
            let is_hidden = || {
                let own = map.is_some_and(|map| self.ev.tree.get_text(map, name).is_some());
                own || self.variable(name).is_some()
            };
            for mark in ["${", "&{"] {
                let word = format!("${name}{mark}");
                if made.contains(&word) && !is_hidden() {
                    made = made.replace(&word, &format!("${{{name}}}{mark}"));
                }
            }
        }
        if made == written { text } else { self.ev.tree.computed(&made, Origin::Generated(text, self.frame)) }
    }
}
