//! Lists: their number of elements, and duplicates.

use formwork_base::{Diagnostic, codes};
use formwork_schemas::Node;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, NodeId, View, flags};

use super::step::Step;
use super::walk::{At, Walk};
use super::{scalar, words};

impl<'w> Walk<'w> {
    pub(super) fn count_of_elements(&mut self, schema: Node<'w>, at: At, items: &[NodeId]) {
        if schema.min_items().is_none() && schema.max_items().is_none() {
            return;
        }
        // `Architectures` of a function have a check of their own.
        if words::pointer(&self.path) == "#/Architectures" && schema.max_items() == Some(1) {
            return;
        }
        let Some(severity) = self.severity_of(codes::BOUND_OF_PROPERTY) else { return };
        let (mut least, mut most) = (0, 0);
        for &item in items {
            let (fewest, greatest) = self.elements(item, 8);
            least += fewest;
            most += greatest;
        }
        let (message, sentence, help) = match (schema.min_items(), schema.max_items()) {
            (Some(bound), _) if most < bound => (
                format!("has {most} elements, fewer than {bound}"),
                format!("expected minimum item count: {bound}, found: {most}"),
                format!("write at least {bound}"),
            ),
            (_, Some(bound)) if least > bound => (
                format!("has {least} elements, more than {bound}"),
                format!("expected maximum item count: {bound}, found: {least}"),
                format!("write at most {bound}"),
            ),
            _ => return,
        };
        let subject = words::subject(&self.path, self.tree.text(self.id));
        let diagnostic = Diagnostic::titled(codes::BOUND_OF_PROPERTY, format!("{subject} {message}"))
            .at(self.place(at))
            .quoting(&format!("{}: {sentence}", words::pointer(&self.path)))
            .help(help);
        self.push(diagnostic, severity, "count");
    }

    /// Returns how many elements an element of a list may be: a branch of a condition may be `AWS::NoValue`.
    fn elements(&self, item: NodeId, depth: u32) -> (u64, u64) {
        if self.is_nothing(item) {
            return (0, 0);
        }
        let (View::Call(Function::Known(Known::If), argument), Some(depth)) =
            (self.tree.view(item), depth.checked_sub(1))
        else {
            return (1, 1);
        };
        match *self.tree.items(argument) {
            [_, holds, fails] => {
                let (one, other) = (self.elements(holds, depth), self.elements(fails, depth));
                (one.0.min(other.0), one.1.max(other.1))
            }
            _ => (0, 1),
        }
    }

    pub(super) fn equal_elements(&mut self, items: &[NodeId]) {
        /// Longer lists are not compared, which takes quadratic time.
        const MOST: usize = 500;
        let Some(severity) = self.severity_of(codes::BOUND_OF_PROPERTY) else { return };
        let tree = self.tree;
        let literal: Vec<(usize, NodeId)> =
            items.iter().copied().enumerate().filter(|&(_, item)| self.is_literal(item)).take(MOST).collect();
        for (at, &(number, item)) in literal.iter().enumerate() {
            let is_again = literal.iter().take(at).any(|&(_, other)| tree.same_data(item, other));
            if !is_again {
                continue;
            }
            self.path.push(Step::Element(number));
            let outer = words::subject(self.path.get(..self.path.len() - 1).unwrap_or_default(), tree.text(self.id));
            let pointer = words::pointer(self.path.get(..self.path.len() - 1).unwrap_or_default());
            let diagnostic = Diagnostic::titled(codes::BOUND_OF_PROPERTY, format!("{outer} has two equal elements"))
                .at(self.place(At { node: item, key: None }))
                .quoting(&format!("{pointer}: array items are not unique"))
                .help("remove one of them");
            self.push(diagnostic, severity, "equal");
            self.path.pop();
        }
    }

    fn is_literal(&self, node: NodeId) -> bool {
        let tree = self.tree;
        if tree.has(node, flags::HAS_CALL | flags::HAS_NULL | flags::HAS_TRANSFORM | flags::HAS_LOOP) {
            return false;
        }
        match tree.view(node) {
            View::List(items) => items.iter().all(|&item| self.is_literal(item)),
            View::Map => tree.entries(node).all(|entry| self.is_literal(entry.value)),
            View::String(text) => !scalar::is_placeholder(text),
            _ => true,
        }
    }
}
