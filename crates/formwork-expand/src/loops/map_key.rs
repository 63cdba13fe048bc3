//! The key of an `Fn::Map` (reference/map-and-merge.md#map-key).

use formwork_base::codes;
use formwork_evaluate::{Outcome, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Origin, Style, View};

use super::Expander;
use super::collection::construct;
use super::map_check::fault;

impl Expander<'_, '_> {
    /// The key that `key` gives in this iteration; `None` when it gives none, which was reported.
    pub(super) fn map_key(&mut self, call: NodeId, key: NodeId) -> Option<NodeId> {
        // A plain text is an `Fn::Sub` in all but name.
        let text = match self.ev.tree.view(key) {
            View::String(_) => Some(key),
            View::Call(Function::Known(Known::Sub), argument) if self.ev.tree.kind(argument) == Kind::String => {
                Some(argument)
            }
            _ => None,
        };
        let Some(text) = text else {
            let node = self.instantiate(key).unwrap_or(key);
            return self.known_key(call, key, node);
        };
        let plan = self.plan_of(text, None, true);
        if self.is_closed(&plan, text) {
            let filled = self.fill_plan(text, &plan, false)?;
            return self.key_of(key, &filled);
        }
        let filled = self.fill_plan(text, &plan, true)?;
        let tree = &mut *self.ev.tree;
        let name = tree.key(Known::Sub.long(), Style::Plain, Origin::Generated(key, self.frame));
        let filled = tree.computed(&filled, Origin::Generated(text, self.frame));
        let node =
            tree.add_call(Function::Known(Known::Sub), name, filled, Style::Plain, Origin::Generated(key, self.frame));
        self.known_key(call, key, node)
    }

    fn known_key(&mut self, call: NodeId, key: NodeId, node: NodeId) -> Option<NodeId> {
        self.ev.looks.clear();
        let outcome = self.ev.with_sight(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve(node)));
        self.take_looks(&construct(Known::Map));
        match outcome {
            Outcome::Known(value) => match self.ev.tree.string(value).map(str::to_owned) {
                Some(text) => self.key_of(key, &text),
                None => self.report_key_value(key),
            },
            Outcome::Secret { .. } => {
                self.report_map_no_echo(call, key, node, "the key of this Fn::Map needs");
                None
            }
            Outcome::Residual(left) => {
                self.report_unresolved(key, left, "the key of this Fn::Map is not known");
                None
            }
            Outcome::Omit(_) => self.report_key_value(key),
            Outcome::Poison => None,
        }
    }

    fn key_of(&mut self, key: NodeId, text: &str) -> Option<NodeId> {
        if text.is_empty() {
            return self.report_key_value(key);
        }
        Some(self.ev.tree.key(text, Style::Plain, Origin::Generated(key, self.frame)))
    }

    fn report_key_value(&mut self, key: NodeId) -> Option<NodeId> {
        let diagnostic = fault(
            codes::MAP_KEY,
            "the Key of this Fn::Map gives no text",
            "Fn::Map Key must resolve to a non-empty string",
        )
        .at(self.ev.tree.span(key))
        .help("write a text with the item in it: `Key: \"Name${Value}\"`");
        self.report(diagnostic);
        None
    }
}
