//! The comparison of a written union with its tree.

use formwork_base::Span;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Tree};

/// Compares a text that was read again with the tree that it was written from.
pub(crate) struct Comparison<'c> {
    pub(crate) read: &'c Tree,
    pub(crate) tree: &'c Tree,
    /// Returns `true` for a scalar that was written with another value.
    pub(crate) is_changed: &'c dyn Fn(NodeId) -> bool,
    /// Starts in the text, each with the authored place.
    pub(crate) places: Vec<(u32, Span)>,
}

impl Comparison<'_> {
    /// Returns `true` if both nodes have the same data in the same order.
    pub(crate) fn compare(&mut self, written: NodeId, node: NodeId) -> bool {
        let (read, tree) = (self.read, self.tree);
        self.places.push((read.span(written).start(), tree.site(node)));
        match (read.kind(written), tree.kind(node)) {
            (Kind::Map, Kind::Map) => {
                read.len(written) == tree.len(node)
                    && read.entries(written).zip(tree.entries(node)).all(|(one, other)| {
                        self.places.push((read.span(one.key).start(), tree.span(other.key)));
                        read.text(one.key) == tree.text(other.key) && self.compare(one.value, other.value)
                    })
            }
            (Kind::List, Kind::List) => {
                read.len(written) == tree.len(node)
                    && read.items(written).iter().zip(tree.items(node)).all(|(&one, &other)| self.compare(one, other))
            }
            (Kind::Call, Kind::Call) => {
                let ((one, written), (other, node)) = (read.call(written), tree.call(node));
                let is_same = read.function_name(one) == tree.function_name(other);
                // The long form of `!GetAtt A.B` is a list.
                let is_attribute = tree.function_name(other) == Known::GetAtt.long();
                is_same && (self.compare(written, node) || is_attribute)
            }
            // Two keys of one object, one of which is a function, are read like the call alone.
            (Kind::Call, Kind::Map) if tree.len(node) == 1 => {
                let entry = tree.entry(node, 0);
                read.text(read.call_name(written)) == tree.text(entry.key)
                    && self.compare(read.call(written).1, entry.value)
            }
            (Kind::List | Kind::Map | Kind::Call, _) | (_, Kind::List | Kind::Map | Kind::Call) => false,
            (kind, other) => {
                (self.is_changed)(node) || kind == other && read.text_form(written) == tree.text_form(node)
            }
        }
    }
}
