//! Branches of `Fn::If` that are never taken, since a condition around them is decided
//! (reference/conditions.md#unreachable).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::{Section, reference};

use super::conditions::{Outcomes, Search};
use crate::Context;

/// Limit of implied conditions of one.
const MOST: usize = 16;
/// Limit of implied conditions of a node.
const MOST_ALL: usize = 64;

type Decided<'t> = Vec<(&'t str, bool)>;

struct Unreachable<'t> {
    member: NodeId,
    name: NodeId,
    branch: NodeId,
    condition: &'t str,
    outcome: bool,
}

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::UNREACHABLE_BRANCH) else { return };
    let tree = cx.tree;
    let Some(conditions) = tree.get(cx.unrolled, symbol::CONDITIONS) else { return };
    let outcomes = Outcomes::new(tree, conditions, cx.template);
    let mut search = Search::new(&outcomes);
    let mut found = Vec::new();
    for section in [Section::Resources, Section::Outputs] {
        let members = tree.get(cx.unrolled, section.symbol()).filter(|&node| tree.has(node, flags::HAS_CALL));
        for member in members.into_iter().flat_map(|members| tree.entries(members)) {
            if cx.is_cancelled() {
                return;
            }
            if tree.loop_name(member.key).is_none() {
                let own = tree.get(member.value, symbol::CONDITION).and_then(|condition| tree.string(condition));
                let mut decided = Decided::default();
                if let Some(condition) = own {
                    decide(tree, conditions, (condition, true), &mut decided);
                }
                let mut walk = Walk { tree, conditions, member, decided, search: &mut search, found: &mut found };
                walk.node(member.value);
            }
        }
    }
    // A condition that does not exist is reported as such.
    found.retain(|one| tree.get_text(conditions, one.condition).is_some());
    for Unreachable { member, name, branch, condition, outcome } in found {
        let condition = shown(condition);
        let which = if outcome { "second" } else { "first" };
        let diagnostic = Diagnostic::new(
            codes::UNREACHABLE_BRANCH,
            format!("the {which} branch of this Fn::If is never taken: {condition} is {outcome} here"),
        )
        .at(tree.span(name))
        .related(tree.span(branch), "never taken")
        .frames(tree.frame_chain(tree.frame_of(member)))
        .note(format!("the resource, the output or an Fn::If around it exists only if {condition} is {outcome}"))
        .help("write the other branch alone, or correct the condition");
        cx.push(diagnostic, severity);
    }
}

struct Walk<'w, 'o, 't> {
    tree: &'t Tree,
    conditions: NodeId,
    member: Entry,
    decided: Decided<'t>,
    search: &'w mut Search<'o, 't>,
    found: &'w mut Vec<Unreachable<'t>>,
}

impl Walk<'_, '_, '_> {
    fn node(&mut self, node: NodeId) {
        let tree = self.tree;
        if !tree.has(node, flags::HAS_CALL) {
            return;
        }
        match tree.view(node) {
            View::List(items) => items.iter().for_each(|&item| self.node(item)),
            View::Map => {
                for entry in tree.entries(node).filter(|entry| tree.loop_name(entry.key).is_none()) {
                    self.node(entry.value);
                }
            }
            View::Call(Function::Known(Known::If), argument) => self.choice(argument),
            View::Call(Function::Known(Known::Transform), _) => {}
            View::Call(_, argument) => self.node(argument),
            _ => {}
        }
    }

    fn choice(&mut self, argument: NodeId) {
        let tree = self.tree;
        let &[name, holds, fails] = tree.items(argument) else { return };
        let Some(condition) = tree.string(name) else { return };
        let known = self.decided.iter().find(|(name, _)| *name == condition).map(|&(_, outcome)| outcome);
        let known = known.or_else(|| self.search.implied(&self.decided, condition));
        for (branch, outcome) in [(holds, true), (fails, false)] {
            match known {
                Some(known) if known != outcome => {
                    // Authors write `AWS::NoValue` where a branch is required.
                    let is_nothing =
                        tree.argument_of(branch, Known::Ref).and_then(|name| tree.string(name)) == Some("AWS::NoValue");
                    if !is_nothing && tree.kind(branch) != Kind::Null {
                        let member = self.member.key;
                        self.found.push(Unreachable { member, name, branch, condition, outcome: known });
                    }
                }
                Some(_) => self.node(branch),
                None => {
                    let before = self.decided.len();
                    decide(tree, self.conditions, (condition, outcome), &mut self.decided);
                    self.node(branch);
                    self.decided.truncate(before);
                }
            }
        }
    }
}

/// Adds an outcome, and those of conditions that follow from it: all operands of an `Fn::And` that is true, all of an
/// `Fn::Or` that is false, the one of an `Fn::Not`.
fn decide<'t>(tree: &'t Tree, conditions: NodeId, first: (&'t str, bool), decided: &mut Decided<'t>) {
    let (mut names, end) = (vec![first], decided.len() + MOST);
    while let Some((name, outcome)) = names.pop() {
        if decided.iter().any(|(known, _)| *known == name) {
            continue;
        }
        decided.push((name, outcome));
        // A longer chain would not help the reader.
        if decided.len() > end.min(MOST_ALL) {
            break;
        }
        let mut bodies: Vec<(NodeId, bool)> =
            tree.get_text(conditions, name).map(|body| (body, outcome)).into_iter().collect();
        while let Some((body, outcome)) = bodies.pop() {
            if let Some(name) = reference::condition_named(tree, body).and_then(|name| tree.string(name)) {
                names.push((name, outcome));
                continue;
            }
            let View::Call(Function::Known(known), argument) = tree.view(body) else { continue };
            let operands = tree.items(argument).iter().copied();
            match known {
                Known::And if outcome => bodies.extend(operands.map(|operand| (operand, true))),
                Known::Or if !outcome => bodies.extend(operands.map(|operand| (operand, false))),
                Known::Not => bodies.extend(operands.map(|operand| (operand, !outcome))),
                _ => {}
            }
        }
    }
}
