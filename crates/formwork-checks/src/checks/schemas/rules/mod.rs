//! Rules between properties (reference/schemas.md#rules): conditions that the nodes of a type do not have.
//!
//! [`holds`] decides whether a value satisfies a clause, as far as that is known; [`judge`] reports the parts of a
//! clause that a value certainly violates; [`report`] writes the findings.

mod among;
mod assumed;
mod holds;
mod judge;
mod lists;
mod report;

pub(super) use lists::unique;

use formwork_base::{Diagnostic, codes};
use formwork_schemas::Rule;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, NodeId, View};

use super::step::Step;
use super::walk::{At, Walk};

impl<'w> Walk<'w> {
    /// Checks the rules of the type of a resource against its properties.
    pub(super) fn rules(&mut self, properties: At) {
        let Some(resource) = self.resource else { return };
        for rule in resource.rules().iter() {
            self.path.clear();
            self.rule_at(rule, rule.path.as_slice(), properties);
        }
        self.path.clear();
    }

    /// Finds the values at the path of a rule; branches of `Fn::If` are each one.
    fn rule_at(&mut self, rule: &Rule, path: &[String], at: At) {
        if self.is_nothing(at.node) {
            return;
        }
        let tree = self.tree;
        if let View::Call(Function::Known(Known::If), argument) = tree.view(at.node) {
            if let [_, holds, fails] = *tree.items(argument) {
                for node in [holds, fails] {
                    self.rule_at(rule, path, At { node, key: at.key });
                }
            }
            return;
        }
        let Some((name, rest)) = path.split_first() else {
            return self.in_context(at.node, |walk| {
                let before = walk.found.len();
                judge::clause(walk, &rule.clause, at, &mut Vec::new());
                // One mistake is one finding.
                if walk.found.len() == before {
                    assumed::judge(walk, &rule.clause, at);
                }
            });
        };
        match tree.view(at.node) {
            View::List(items) if name == "*" => {
                for (number, &item) in items.iter().enumerate() {
                    self.path.push(Step::Element(number));
                    self.in_context(item, |walk| walk.rule_at(rule, rest, At { node: item, key: None }));
                    self.path.pop();
                }
            }
            View::Map if self.is_plain_object(at.node) => {
                let is_meant = |entry: &Entry| name == "*" || tree.text(entry.key) == name;
                let entries: Vec<Entry> = tree.entries(at.node).filter(is_meant).collect();
                for entry in entries {
                    self.path.push(Step::Key(tree.text(entry.key)));
                    let below = At { node: entry.value, key: Some(entry.key) };
                    self.in_context(entry.value, |walk| walk.rule_at(rule, rest, below));
                    self.path.pop();
                }
            }
            _ => {}
        }
    }

    /// Returns `true` for a value that is reported as not allowed: another one is meant.
    fn is_reported(&self, node: NodeId) -> bool {
        let span = self.tree.span(node);
        self.newest().any(|found| found.code == codes::VALUE_NOT_ALLOWED && found.span() == span)
    }

    /// Returns `true` for a value about which something was found.
    fn has_finding_at(&self, node: NodeId) -> bool {
        let span = self.tree.span(node);
        self.newest().any(|found| found.span() == span)
    }

    /// Returns the last findings: those of other resources are not looked through.
    fn newest(&self) -> impl Iterator<Item = &Diagnostic> {
        const MOST: usize = 64;
        self.found.iter().rev().take(MOST).map(|(found, _)| found)
    }

    /// Runs with the context and the place of a value.
    pub(super) fn in_context(&mut self, node: NodeId, run: impl FnOnce(&mut Walk<'w>)) {
        let own = self.tree.frame_of(node);
        let is_context = !own.is_none() && self.contexts.last() != Some(&own);
        if is_context {
            self.contexts.push(own);
        }
        let span = self.tree.span(node);
        let has_place = !span.is_none();
        if has_place {
            self.around.push(span);
        }
        run(self);
        if has_place {
            self.around.pop();
        }
        if is_context {
            self.contexts.pop();
        }
    }
}
