//! Computation of constant values in a module. Names are resolved by this stage; values are computed by the evaluator
//! alone, so that a module file means the same as the same text in a template.
//!
//! Nothing is reported here. A call that cannot be computed is kept, and the stage that evaluates the whole template
//! reports the reason.

use formwork_evaluate::{Evaluator, Outcome, Truth, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, View, flags};
use formwork_template::sub_string::{self, Part};

use super::Linker;
use super::instance::InstanceId;
use super::walk::walk;

impl Linker<'_> {
    /// Computes a call with resolved names, as far as it is constant. A call that cannot be computed is returned
    /// unchanged; `None` for `AWS::NoValue`.
    pub(super) fn fold(&mut self, call: NodeId, scope: InstanceId) -> Option<NodeId> {
        // Constructs that need the transform are reported where the whole template is checked.
        let needs_transform = !self.settings.language_extensions && self.tree.has(call, flags::HAS_CONSTRUCT);
        if needs_transform || self.values.modes.is_body || self.drops_what_may_fail(call) {
            return Some(call);
        }
        // Computed nodes get the context of the instance from the call.
        let frame = self.frame_at(call, scope);
        let argument = self.tree.call(call).1;
        let placed = self.tree.call_like(call, argument, frame);
        let (outcome, is_sound) = self.with_evaluator(|evaluator| {
            let outcome = evaluator.resolve_silently(placed);
            (outcome, evaluator.error_count == 0)
        });
        match outcome {
            Outcome::Known(node) | Outcome::Residual(node) | Outcome::Secret { kept: node, .. }
                if is_sound && node != placed =>
            {
                Some(node)
            }
            Outcome::Omit(_) if is_sound => None,
            _ => Some(call),
        }
    }

    /// Returns `true` when the value of a call does not contain an argument that later values may make invalid: an item
    /// before a selected one, a variable that a string does not use. Such a call waits for these values.
    fn drops_what_may_fail(&self, call: NodeId) -> bool {
        let tree = &*self.tree;
        let (function, argument) = tree.call(call);
        match (function, tree.items(argument)) {
            (Function::Known(Known::Select), &[_, list]) if tree.kind(list) == Kind::List => {
                tree.items(list).iter().any(|&item| self.may_fail(item))
            }
            (Function::Known(Known::Sub), &[text, map]) if tree.kind(map) == Kind::Map => {
                let used = sub_string::parts(tree.text(text)).filter_map(Part::variable);
                let is_used = |name: &str| used.clone().any(|used| used == name);
                tree.entries(map).any(|entry| self.may_fail(entry.value) && !is_used(tree.text(entry.key)))
            }
            _ => false,
        }
    }

    /// Returns `true` when a call at or below the node computes something, which may be invalid.
    fn may_fail(&self, node: NodeId) -> bool {
        let mut may_fail = false;
        walk(self.tree, node, |node| {
            may_fail |= match self.tree.view(node) {
                View::Call(Function::Known(Known::Ref | Known::GetAtt | Known::ImportValue), _) => false,
                View::Call(Function::Known(Known::Sub), argument) => !self.tree.is_scalar(argument),
                view => matches!(view, View::Call(..)),
            };
            !may_fail && self.tree.has(node, flags::HAS_CALL)
        });
        may_fail
    }

    pub(super) fn truth_of(&mut self, node: NodeId) -> Truth {
        self.with_evaluator(|evaluator| evaluator.decide_silently(node))
    }

    /// Calls `work` with an evaluator that sees constants and the mappings of modules by their full names.
    fn with_evaluator<R>(&mut self, work: impl FnOnce(&mut Evaluator<'_>) -> R) -> R {
        self.with_visibility(Visibility::Constant, work)
    }

    /// Calls `work` with an evaluator that also sees the values of root parameters, and the conditions that a value of
    /// the result uses.
    pub(super) fn with_root_values<R>(&mut self, value: NodeId, work: impl FnOnce(&mut Evaluator<'_>) -> R) -> R {
        let conditions = self.conditions_below(value);
        self.with_visibility(Visibility::Full, |evaluator| {
            evaluator.set_conditions_quietly(conditions);
            work(evaluator)
        })
    }

    fn with_visibility<R>(&mut self, visibility: Visibility, work: impl FnOnce(&mut Evaluator<'_>) -> R) -> R {
        let names = std::mem::take(&mut self.values.names);
        let mut evaluator =
            Evaluator::new(self.tree, self.template, names, self.facts, self.settings, self.diagnostics);
        evaluator.module_mappings = std::mem::take(&mut self.emitted.mappings);
        let result = evaluator.with_visibility(visibility, work);
        self.emitted.mappings = std::mem::take(&mut evaluator.module_mappings);
        self.values.names = evaluator.into_parameters();
        result
    }
}
