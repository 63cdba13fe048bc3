//! Conditions with their values substituted.

use formwork_base::display::MASK;
use formwork_evaluate::Outcome;
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId};
use formwork_template::reference;

use crate::session::Session;

impl Session<'_, '_> {
    /// Returns a condition in words: `"dev" = "prod"`, `not (...)`, `IsProd and ...`. Unknown values are shown as
    /// written, secrets as `****`.
    pub(super) fn condition_words(&mut self, node: NodeId) -> String {
        let tree = self.tree();
        if let Some(name) = reference::condition_named(tree, node) {
            return tree.text(name).to_owned();
        }
        if tree.kind(node) != Kind::Call {
            return tree.text_form(node).to_owned();
        }
        let (function, argument) = tree.call(node);
        let items = tree.items(argument).to_vec();
        match (function, items.as_slice()) {
            (Function::Known(Known::Equals), &[left, right]) => {
                format!("{} = {}", self.operand(left), self.operand(right))
            }
            (Function::Known(Known::Not), &[inner]) => format!("not ({})", self.condition_words(inner)),
            (Function::Known(Known::And), all) => self.joined(all, " and "),
            (Function::Known(Known::Or), all) => self.joined(all, " or "),
            _ => self.written(node),
        }
    }

    fn joined(&mut self, items: &[NodeId], word: &str) -> String {
        let words: Vec<String> = items.iter().map(|&item| format!("({})", self.condition_words(item))).collect();
        words.join(word)
    }

    fn operand(&mut self, node: NodeId) -> String {
        match self.replay.evaluator().resolve_silently(node) {
            Outcome::Known(value) if self.tree().is_scalar(value) => format!("\"{}\"", self.tree().text_form(value)),
            Outcome::Secret { .. } => MASK.to_owned(),
            _ => self.written(node),
        }
    }

    /// Returns the source of a node, on one line.
    fn written(&self, node: NodeId) -> String {
        let text = self.sources.slice(self.tree().span(node));
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}
