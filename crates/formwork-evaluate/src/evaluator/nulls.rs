//! Null and `AWS::NoValue` (reference/functions.md#no-value).

use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, Origin, Style, View};
use formwork_template::PseudoParameter;

use super::Evaluator;
use crate::outcome::Outcome;

impl Evaluator<'_> {
    pub(crate) fn is_in_json(&self) -> bool {
        self.mode.nulls_are_data > 0
    }

    /// Removes a null that a computed call returns, with and without the language transform
    /// (reference/functions.md#no-value).
    pub(super) fn without_yielded_null(&mut self, outcome: Outcome, call: NodeId) -> Outcome {
        match outcome {
            Outcome::Known(value) if self.mode.nulls_are_data == 0 && self.tree.kind(value) == Kind::Null => {
                Outcome::Omit(self.no_value(value, call))
            }
            outcome => outcome,
        }
    }

    /// Resolves an argument that may be `AWS::NoValue`: a branch of `Fn::If`, a default.
    pub(crate) fn resolve_optional(&mut self, node: NodeId, call: NodeId) -> Outcome {
        match self.resolve(node) {
            Outcome::Known(value) if self.is_dropped_null(value) => Outcome::Omit(self.no_value(value, call)),
            outcome => outcome,
        }
    }

    /// Returns `Ref: AWS::NoValue` in the place of a null, in the spelling of the call around it.
    pub(crate) fn no_value(&mut self, null: NodeId, call: NodeId) -> NodeId {
        let frame = self.tree.frame_of(call);
        let origin = Origin::Generated(self.tree.authored(null), frame);
        let style = if self.tree.style(call) == Style::Tag { Style::Tag } else { Style::Plain };
        let name = self.tree.key(Known::Ref.long(), Style::Plain, origin);
        let target = self.tree.computed(PseudoParameter::NoValue.name(), origin);
        self.tree.add_call(Function::Known(Known::Ref), name, target, style, origin)
    }

    /// Returns `true` for an explicit null that the transform removes (reference/functions.md#no-value).
    pub(crate) fn is_dropped_null(&self, node: NodeId) -> bool {
        self.settings.language_extensions && self.mode.nulls_are_data == 0 && self.tree.kind(node) == Kind::Null
    }

    /// Returns `true` for `{"Ref": "AWS::NoValue"}`.
    pub fn is_no_value(&self, node: NodeId) -> bool {
        self.tree
            .argument_of(node, Known::Ref)
            .is_some_and(|name| matches!(self.tree.view(name), View::String("AWS::NoValue")))
    }
}
