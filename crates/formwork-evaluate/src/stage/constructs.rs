//! Computing the constructs that plain CloudFormation does not have, and leaving everything else
//! (reference/values.md#untouched, reference/values.md#loop-variables, reference/values.md#constructs).

use formwork_base::{Advice, Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::tree::rewritten::{Entries, Items};
use formwork_syntax::{Function, Kind, NodeId, Origin, flags};
use formwork_template::parameter_option;

use super::pinned::{Kept, Notes, PinReason};
use crate::blocker::{self, Blocker};
use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::{Values, Visibility};

impl Evaluator<'_> {
    /// Checks every call below a node: shapes, constant indexes and lookups.
    pub(crate) fn check(&mut self, node: NodeId) {
        if !self.tree.has(node, flags::HAS_CALL) {
            return;
        }
        match self.tree.kind(node) {
            Kind::Call => {
                self.resolve(node);
            }
            Kind::List => (0..self.tree.len(node)).for_each(|at| self.check(self.tree.items(node)[at])),
            _ => {
                for at in 0..self.tree.len(node) {
                    let entry = self.tree.entry(node, at);
                    if self.is_left_loop(node, entry) {
                        continue;
                    }
                    self.path.push(entry.key);
                    self.check(entry.value);
                    self.path.pop();
                }
            }
        }
    }

    /// Computes the constructs in a node as far as they are constant (`keep`) or known (`pin`); `None` for
    /// `AWS::NoValue`. The rest of it is checked and left as written.
    pub(super) fn compute_constructs(&mut self, node: NodeId, notes: &mut Notes) -> Option<NodeId> {
        if !self.tree.has(node, flags::HAS_CALL | flags::HAS_NULL) {
            return Some(node);
        }
        let outer = self.enter(node);
        let result = match self.tree.kind(node) {
            Kind::Call => self.call(node, notes),
            Kind::List => Some(self.list(node, notes)),
            Kind::Map => Some(self.map(node, notes)),
            Kind::Null => None,
            _ => Some(node),
        };
        self.frame = outer;
        result
    }

    /// Computes the constructs in a child; results of children that copies of a loop body share are cached.
    fn child(&mut self, parent: NodeId, child: NodeId, notes: &mut Notes) -> Option<NodeId> {
        let is_shared = self.tree.is_generated(parent) && !self.tree.is_generated(child);
        if !is_shared || self.mode.silent > 0 {
            return self.compute_constructs(child, notes);
        }
        let lenient = self.mode.lenient > 0;
        if let Some(&known) = notes.done.get(&(child, lenient)) {
            return known;
        }
        let result = self.compute_constructs(child, notes);
        notes.done.insert((child, lenient), result);
        result
    }

    fn list(&mut self, node: NodeId, notes: &mut Notes) -> NodeId {
        let mut items = Items::default();
        for at in 0..self.tree.len(node) {
            let item = self.tree.items(node)[at];
            let made = self.child(node, item, notes);
            items.put(self.tree, node, at, made);
        }
        items.changed().map_or(node, |items| self.list_like(node, items))
    }

    fn map(&mut self, node: NodeId, notes: &mut Notes) -> NodeId {
        let mut entries = Entries::default();
        for at in 0..self.tree.len(node) {
            let entry = self.tree.entry(node, at);
            if self.is_left_loop(node, entry) {
                entries.put(self.tree, node, at, Some(entry.value));
                continue;
            }
            self.path.push(entry.key);
            let value = self.child(node, entry.value, notes);
            self.path.pop();
            entries.put(self.tree, node, at, value);
        }
        let Some(entries) = entries.changed() else { return node };
        let style = self.tree.style(node);
        let origin = Origin::Generated(node, self.tree.frame_of(node));
        self.tree.map(entries, style, origin)
    }

    fn call(&mut self, node: NodeId, notes: &mut Notes) -> Option<NodeId> {
        let (function, argument) = self.tree.call(node);
        if self.tree.is_construct(node) {
            let name = self.tree.function_name(function).to_owned();
            return self.construct(node, &name, notes);
        }
        // Calls that stay are checked too (rule 7).
        self.with_visibility(Visibility::Constant, |ev| ev.resolve(node));
        if !self.tree.has(argument, flags::HAS_CONSTRUCT | flags::HAS_NULL) {
            return Some(node);
        }
        // Errors inside were reported just now; the rest is never evaluated, as an item that is not selected: a failure
        // in it does not keep the transform.
        let failed = self.failed.len();
        self.mode.silent += 1;
        self.mode.lenient += 1;
        let argument = self.argument(node, function, argument, notes);
        self.mode.lenient -= 1;
        self.mode.silent -= 1;
        self.failed.truncate(failed);
        Some(self.kept(node, argument))
    }

    /// Computes the constructs in the argument of a call that stays. `AWS::NoValue` stays there, except in the list of
    /// `Fn::Join`.
    fn argument(&mut self, call: NodeId, function: Function, argument: NodeId, notes: &mut Notes) -> NodeId {
        if self.tree.kind(argument) != Kind::List {
            return self.compute_constructs(argument, notes).unwrap_or(argument);
        }
        let is_if = function == Function::Known(Known::If);
        self.mode.lenient += u32::from(is_if);
        let items = self.tree.items(argument).to_vec();
        let items: Vec<NodeId> = items
            .into_iter()
            .map(|item| {
                if self.tree.kind(item) == Kind::Null {
                    return if is_if && self.is_dropped_null(item) { self.no_value(item, call) } else { item };
                }
                self.compute_constructs(item, notes).unwrap_or_else(|| self.no_value_for(item))
            })
            .collect();
        self.mode.lenient -= u32::from(is_if);
        self.list_like(argument, &items)
    }

    fn no_value_for(&mut self, node: NodeId) -> NodeId {
        match self.with_visibility(Visibility::Full, |ev| ev.resolve_silently(node)) {
            Outcome::Omit(no_value) => no_value,
            _ => node,
        }
    }

    /// Computes a construct where it is constant or, with `pin`, known; else reduces it and records the blockers.
    pub(super) fn construct(&mut self, node: NodeId, name: &str, notes: &mut Notes) -> Option<NodeId> {
        let pin = self.settings.values == Values::Pin;
        self.looks.clear();
        let visibility = if pin { Visibility::Full } else { Visibility::Constant };
        let failed = self.failed.len();
        let outcome = self.with_visibility(visibility, |ev| ev.resolve(node));
        if pin {
            let looks = std::mem::take(&mut self.looks);
            let left = match outcome {
                Outcome::Residual(left) | Outcome::Secret { kept: left, .. } => {
                    blocker::blockers(self.tree, &self.parameters, left)
                }
                _ => Vec::new(),
            };
            // A secret that became a variable of the string is not fixed.
            for look in looks.into_iter().filter(|&look| !left.contains(&Blocker::NoEcho(look))) {
                notes.fix(look, PinReason::Construct(name.to_owned()));
            }
        }
        match outcome {
            // Failed calls below it are gone with it.
            Outcome::Known(value) => {
                self.failed.truncate(failed);
                Some(value)
            }
            Outcome::Omit(_) => {
                self.failed.truncate(failed);
                None
            }
            Outcome::Poison => {
                notes.is_poisoned = true;
                Some(node)
            }
            Outcome::Residual(left) | Outcome::Secret { kept: left, .. } => {
                let reports = pin && self.failed.len() == failed;
                let keeps = self.tree.has(left, flags::HAS_CONSTRUCT) || self.failed.len() > failed;
                if reports || keeps {
                    let causes = blocker::blockers(self.tree, &self.parameters, left);
                    if reports {
                        self.report_missing(node, &causes);
                    }
                    if keeps {
                        notes.keep(Kept { name: name.to_owned(), node, causes });
                    }
                }
                Some(left)
            }
        }
    }

    /// Reports, with `pin`, a construct that waits for values that could have been passed.
    fn report_missing(&mut self, node: NodeId, causes: &[Blocker]) {
        let missing = causes.iter().filter(|cause| matches!(cause, Blocker::Parameter(_) | Blocker::Pseudo(_)));
        let (mut what, mut parameters, mut options) = (Vec::new(), Vec::new(), Vec::new());
        for cause in missing {
            what.push(cause.text(self.tree));
            match cause {
                Blocker::Parameter(name) => {
                    let name = self.tree.name(*name);
                    parameters.push(name.to_owned());
                    options.push(format!("`{}`", parameter_option(name, false)));
                }
                Blocker::Pseudo(name) => {
                    let pseudo = formwork_template::PseudoParameter::from_name(self.tree.name(*name));
                    options.extend(pseudo.map(|pseudo| format!("`{}`", pseudo.option())));
                }
                _ => {}
            }
        }
        if what.is_empty() {
            return;
        }
        let have = if what.len() == 1 { "has" } else { "have" };
        let mut message = format!("{} {have} no value to fix", what.join(" and "));
        if !parameters.is_empty() {
            message += ": `Parameters: [";
            message += &parameters.join(", ");
            message += "] must have values`";
        }
        self.report(Diagnostic::new(codes::VALUE_MISSING, message).at(self.tree.span(node)).label("needed here").help(
            Advice {
                text: format!("pass {}, or keep the function with `--values keep`", options.join(" and ")),
                passes_value: !parameters.is_empty(),
            },
        ));
    }
}
