//! Chains of values that need each other, worked out without a deep stack.
//!
//! Working out a value may ask for another one, which asks for another one, through as many modules
//! as there are. Past a depth the work is given up; what was asked for last is worked out first, from
//! a shallow stack, and the work begins anew. Everything that was finished meanwhile is remembered.

use formwork_syntax::{NodeId, Symbol};

use super::Linker;
use super::evaluate::Value;
use super::instance::Scope;

/// How many nodes may be open when something new is asked for.
const SHALLOW: usize = 24;

/// Something that is worked out once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Goal {
    /// The value of a parameter.
    Binding(Scope, Symbol),
    /// An output.
    Output(Scope, Symbol),
    /// A condition.
    Condition(Scope, Symbol),
}

impl Linker<'_> {
    /// Whether the goal can be worked out here; else it is noted, and the work at hand is to be given
    /// up.
    pub(super) fn may_begin(&mut self, goal: Goal) -> bool {
        if self.suspended.is_some() {
            return false;
        }
        if self.depth > SHALLOW {
            self.suspended = Some(goal);
            return false;
        }
        true
    }

    /// Evaluates a node from a shallow stack.
    pub(super) fn settle(&mut self, node: NodeId, scope: Scope) -> Value {
        self.settled(|linker| linker.evaluate(node, scope))
    }

    /// Does some work as often as it is given up, working out first what it lacked.
    pub(super) fn settled<R>(&mut self, mut work: impl FnMut(&mut Self) -> R) -> R {
        if self.depth > 0 || self.suspended.is_some() {
            return work(self);
        }
        loop {
            let result = work(self);
            let Some(goal) = self.suspended.take() else { return result };
            self.reach(goal);
        }
    }

    fn reach(&mut self, goal: Goal) {
        let mut open = vec![goal];
        while let Some(&goal) = open.last() {
            match goal {
                Goal::Binding(scope, name) => {
                    self.binding(scope, name);
                }
                Goal::Output(scope, name) => {
                    self.output_value(scope, name);
                }
                Goal::Condition(scope, name) => {
                    self.decide(scope, name);
                }
            }
            match self.suspended.take() {
                Some(next) if open.contains(&next) => {
                    self.poison(next);
                    self.report_goal_cycle(next);
                }
                Some(next) => open.push(next),
                None => {
                    open.pop();
                }
            }
        }
    }
}
