//! The recursion: a node is reduced by its kind, and a call by its function, which resolves its arguments.

use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, flags};

use super::Evaluator;
use crate::functions;
use crate::outcome::Outcome;
use crate::settings::{Values, Visibility};

impl Evaluator<'_> {
    /// Reduces a node as far as the visible values allow. Reports errors.
    pub fn resolve(&mut self, id: NodeId) -> Outcome {
        if !self.tree.has(id, flags::HAS_CALL | flags::HAS_NULL) {
            return Outcome::Known(id);
        }
        if self.diagnostics.is_cancelled() {
            return Outcome::Poison;
        }
        let outer = self.enter(id);
        let outcome = match self.tree.kind(id) {
            Kind::List => self.resolve_list(id),
            Kind::Map => self.resolve_map(id),
            Kind::Call => {
                let outcome = self.resolve_call(id);
                self.without_yielded_null(outcome, id)
            }
            _ => Outcome::Known(id),
        };
        self.frame = outer;
        outcome
    }

    /// Reduces a node without reporting anything: only the result counts.
    pub fn resolve_silently(&mut self, id: NodeId) -> Outcome {
        self.mode.silent += 1;
        let failed = self.failed.len();
        let outcome = self.resolve(id);
        self.failed.truncate(failed);
        self.mode.silent -= 1;
        outcome
    }

    /// Resolves a child; results of shared authored children are cached.
    pub(super) fn resolve_child(&mut self, parent: NodeId, child: NodeId) -> Outcome {
        let is_shared =
            self.tree.is_generated(parent) && !self.tree.is_generated(child) && self.tree.has(child, flags::HAS_CALL);
        // No caching where reports are held back, or where the names that are looked at matter.
        let remembers = match (self.settings.values, self.visibility) {
            (Values::All | Values::Resolve, Visibility::Full) | (Values::Keep, Visibility::Constant) => {
                self.mode.silent == 0
            }
            _ => false,
        };
        if !is_shared || !remembers {
            return self.resolve(child);
        }
        let memo = usize::from(self.mode.lenient > 0);
        if let Some(&(known, error_count)) = self.memo[memo].get(&child) {
            self.error_count += error_count;
            return known;
        }
        let before = self.error_count;
        let outcome = self.resolve(child);
        self.memo[memo].insert(child, (outcome, self.error_count - before));
        outcome
    }

    fn resolve_call(&mut self, id: NodeId) -> Outcome {
        let (function, argument) = self.tree.call(id);
        let Function::Known(known) = function else {
            return functions::other::reduce(self, id, argument);
        };
        if self.is_from_macro(argument) {
            return functions::other::reduce(self, id, argument);
        }
        match known {
            Known::Ref => functions::reference::reduce(self, id, argument),
            Known::GetAtt => functions::get_att::reduce(self, id, argument),
            Known::Sub => functions::sub::reduce(self, id, argument),
            Known::Join => functions::join::reduce(self, id, argument),
            Known::Split => functions::split::reduce(self, id, argument),
            Known::Select => functions::select::reduce(self, id, argument),
            Known::FindInMap => functions::find_in_map::reduce(self, id, argument),
            Known::If => functions::r#if::reduce(self, id, argument),
            Known::Base64 => functions::base64::reduce(self, id, argument),
            Known::Cidr => functions::cidr::reduce(self, id, argument),
            Known::GetAZs => functions::get_azs::reduce(self, id, argument),
            Known::GetStackOutput => functions::get_stack_output::reduce(self, id, argument),
            Known::ImportValue => functions::import_value::reduce(self, id, argument),
            Known::Length => functions::length::reduce(self, id, argument),
            Known::ToJsonString => functions::to_json_string::reduce(self, id, argument),
            Known::Range => functions::range::reduce(self, id, argument),
            Known::Zip => functions::zip::reduce(self, id, argument),
            Known::And | Known::Or | Known::Not | Known::Equals | Known::Condition => self.resolve_condition(id),
            _ => functions::other::reduce(self, id, argument),
        }
    }

    pub(crate) fn arguments(&mut self, list: NodeId) -> Vec<Outcome> {
        let count = self.tree.len(list);
        (0..count)
            .map(|at| {
                let item = self.tree.items(list)[at];
                self.resolve(item)
            })
            .collect()
    }

    /// Evaluates a node that the values at hand do not use: a branch that is not taken, an element that is not
    /// selected. Errors that do not depend on the values are reported, if `Settings::looks_at_all` is set.
    pub fn look_at_unused(&mut self, node: NodeId) {
        if !self.settings.looks_at_all || self.mode.silent > 0 {
            return;
        }
        self.mode.lenient += 1;
        let failed = self.failed.len();
        self.with_visibility(Visibility::Constant, |ev| ev.check(node));
        self.failed.truncate(failed);
        self.mode.lenient -= 1;
    }
}
