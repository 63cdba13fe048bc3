//! Expansion of `Fn::Merge`: objects are spliced into the surrounding object, or several are joined to one object or
//! list (reference/map-and-merge.md#merge).

use formwork_base::codes;
use formwork_evaluate::blocker::{self, Blocker};
use formwork_evaluate::{Outcome, Truth, Visibility};
use formwork_syntax::function::Known;
use formwork_syntax::{Function, Kind, NodeId, View};

use crate::merge;

use super::collection::construct;
use super::map_check::error;
use super::no_items::shown_item;
use super::parts::Loop;
use super::produced::{GeneratedEntries, Maker};
use super::unchecked::{Missing, reported};
use super::{Expander, Level};

impl Expander<'_, '_> {
    /// Adds the entries of the operands to the object around the merge with this `name`. In the fragment of an
    /// `Fn::ForEach` their keys contain items, as all keys of the fragment do.
    pub(super) fn merge_members(
        &mut self,
        name: NodeId,
        argument: NodeId,
        level: Level,
        is_fragment: bool,
        out: &mut GeneratedEntries,
    ) {
        self.spent.calls += 1;
        let from = out.entries.len();
        out.merges += 1;
        for operand in self.operands(name, argument) {
            self.operand_members(name, operand, level, is_fragment, out);
        }
        out.merges -= 1;
        if level != Level::Inner && out.merges == 0 {
            self.made.extend(out.entries[from..].iter().map(|entry| entry.key));
        }
        out.close(from, Maker::Merge(name));
    }

    /// Returns the written operands of a merge, or those that a function returns.
    fn operands(&mut self, name: NodeId, argument: NodeId) -> Vec<NodeId> {
        if self.ev.tree.kind(argument) == Kind::List {
            return self.ev.tree.items(argument).to_vec();
        }
        let known = (self.ev.tree.kind(argument) == Kind::Call).then(|| self.known_operand(argument));
        match known {
            Some(Outcome::Known(list)) if self.ev.tree.kind(list) == Kind::List => self.ev.tree.items(list).to_vec(),
            // The reason was reported.
            Some(Outcome::Poison) => Vec::new(),
            _ => {
                let what = format!("Fn::Merge has {}, not a list", shown_item(self.ev.tree, argument));
                self.report_operand(name, argument, &what);
                Vec::new()
            }
        }
    }

    fn operand_members(
        &mut self,
        name: NodeId,
        operand: NodeId,
        level: Level,
        is_fragment: bool,
        out: &mut GeneratedEntries,
    ) {
        if let Some(of) = Loop::of_items(self.ev.tree, operand) {
            // In the body of a section the missing key was reported.
            if level == Level::Inner {
                let mut items = Vec::new();
                self.map_items(&of, &mut items);
                for item in items {
                    self.known_members(name, item, level, false, out);
                }
            }
            return;
        }
        if let View::Map | View::Call(Function::Known(Known::Merge | Known::Map), _) = self.ev.tree.view(operand) {
            return self.members(operand, level, is_fragment, out);
        }
        if let Outcome::Known(known) = self.known_operand(operand) {
            self.known_members(name, known, level, is_fragment, out);
        }
    }

    fn known_members(
        &mut self,
        name: NodeId,
        operand: NodeId,
        level: Level,
        is_fragment: bool,
        out: &mut GeneratedEntries,
    ) {
        if self.ev.tree.kind(operand) != Kind::Map {
            let what = format!("an operand of Fn::Merge is {}, not an object", shown_item(self.ev.tree, operand));
            return self.report_operand(name, operand, &what);
        }
        // The value of a function may have loops of its own.
        self.members(operand, level, is_fragment, out);
    }

    pub(super) fn merge_value(&mut self, call: NodeId) -> NodeId {
        self.spent.calls += 1;
        let (argument, name) = (self.ev.tree.call(call).1, self.ev.tree.call_name(call));
        let mut values = Vec::new();
        for operand in self.operands(name, argument) {
            if let Some(of) = Loop::of_items(self.ev.tree, operand) {
                self.map_items(&of, &mut values);
            } else if let Outcome::Known(value) = self.known_operand(operand) {
                values.push(value);
            }
        }
        if let Some(odd) = merge::odd(self.ev.tree, &values) {
            let what = format!("an operand of Fn::Merge is {}", shown_item(self.ev.tree, odd));
            self.report_operand(name, odd, &what);
            return call;
        }
        if values.first().is_some_and(|&first| self.ev.tree.kind(first) == Kind::List) {
            let items: Vec<NodeId> = values.iter().flat_map(|&list| self.ev.tree.items(list).to_vec()).collect();
            return self.list_of(call, &items);
        }
        if self.rules.merge == merge::Rule::Deep {
            let (frame, depth) = (self.frame, self.ev.settings.limits.depth);
            let merged =
                values.into_iter().reduce(|one, other| merge::deep(self.ev.tree, one, other, (call, frame), depth));
            return match merged {
                Some(merged) => self.ev.tree.stand_in(merged, call, frame),
                None => self.object(call, &GeneratedEntries::default()),
            };
        }
        let mut members = GeneratedEntries::default();
        for value in values {
            members.entries.extend(self.ev.tree.entries(value));
        }
        members.close(0, Maker::Merge(name));
        self.check_duplicates(&members, Level::Inner);
        self.object(call, &members)
    }

    /// Expands the loops of an operand, and evaluates its functions as far as its kind needs it; poison when it is not
    /// known, which is reported.
    fn known_operand(&mut self, operand: NodeId) -> Outcome {
        let Some(mut node) = self.instantiate(operand) else { return Outcome::Omit(operand) };
        loop {
            let View::Call(function, argument) = self.ev.tree.view(node) else { return Outcome::Known(node) };
            if let (Function::Known(Known::If), &[name, then, otherwise]) = (function, self.ev.tree.items(argument)) {
                // Only the branch is chosen: it stays as it is written.
                let name = self.ev.tree.text(name).to_owned();
                self.ev.looks.clear();
                let truth = self.ev.with_visibility(Visibility::Full, |ev| ev.condition(&name));
                self.take_looks(&construct(Known::Merge));
                match truth {
                    Some(Truth::True) => node = then,
                    Some(Truth::False) => node = otherwise,
                    Some(Truth::Poison) => return Outcome::Poison,
                    Some(Truth::Unknown) | None => return self.report_operand_unresolved(operand, node),
                }
                continue;
            }
            if self.bad.contains(&node) {
                return Outcome::Poison;
            }
            return match self.known(node, Known::Merge) {
                Outcome::Secret { .. } => self.report_operand_unresolved(operand, node),
                Outcome::Residual(left) => self.report_operand_unresolved(operand, left),
                outcome => outcome,
            };
        }
    }

    pub(super) fn known(&mut self, node: NodeId, function: Known) -> Outcome {
        self.ev.looks.clear();
        let outcome = self.ev.with_visibility(Visibility::Full, |ev| ev.strictly(|ev| ev.resolve(node)));
        self.take_looks(&construct(function));
        outcome
    }

    fn report_operand(&mut self, name: NodeId, operand: NodeId, what: &str) {
        let diagnostic = merge::wrong_operand(self.ev.tree, name, operand, what)
            .help("write `Fn::Merge: [{...}, {...}]`; as a whole value it also joins lists");
        self.report(diagnostic);
    }

    fn report_operand_unresolved(&mut self, operand: NodeId, left: NodeId) -> Outcome {
        let causes = blocker::blockers(self.ev.tree, &self.ev.parameters, left);
        let secret = causes.iter().find(|cause| matches!(cause, Blocker::NoEcho(_)));
        let Missing { name, help, .. } = Missing::of(self.ev, secret.or(reported(&causes)), false);
        let sentence = format!("Fn::Merge received a value which cannot be resolved: [{name}]");
        let diagnostic = if secret.is_some() {
            error(codes::MERGE_UNRESOLVED, &format!("an operand of Fn::Merge uses the secret {name}"), &sentence)
                .note("the value would appear in the output, and the value of a NoEcho parameter is never written")
                .help("remove NoEcho from the parameter, or merge something else")
        } else {
            error(codes::MERGE_UNRESOLVED, "an operand of Fn::Merge is not known before deployment", &sentence)
                .help(help)
        };
        self.report(diagnostic.at(self.ev.tree.span(operand)));
        Outcome::Poison
    }
}
