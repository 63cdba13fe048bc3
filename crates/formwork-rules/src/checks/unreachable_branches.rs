//! Branches of `Fn::If` that are never taken, since a condition around them is decided
//! (reference/conditions.md#unreachable).

use formwork_base::{Diagnostic, codes};
use formwork_syntax::document::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Tree, View, flags, symbol};
use formwork_template::Section;

use crate::Context;

/// The conditions around a node, each with its outcome.
type Decided<'t> = Vec<(&'t str, bool)>;

/// A branch, and the condition that rules it out.
struct Unreachable<'t> {
    member: NodeId,
    /// The name of its condition.
    name: NodeId,
    branch: NodeId,
    condition: &'t str,
    outcome: bool,
}

pub(super) fn check(cx: &mut Context<'_>) {
    let Some(severity) = cx.severity_of_code(codes::UNREACHABLE_BRANCH) else { return };
    let tree = cx.tree;
    let Some(conditions) = tree.get(cx.unrolled, symbol::CONDITIONS) else { return };
    let mut found = Vec::new();
    for section in [Section::Resources, Section::Outputs] {
        let members = tree.get(cx.unrolled, section.symbol()).filter(|&node| tree.has(node, flags::HAS_CALL));
        for member in members.into_iter().flat_map(|members| tree.entries(members)) {
            if cx.is_cancelled() {
                return;
            }
            if tree.loop_name(member.key).is_none() {
                let own = tree.get(member.value, symbol::CONDITION).and_then(|condition| tree.string(condition));
                let mut decided: Decided<'_> = own.map(|condition| (condition, true)).into_iter().collect();
                walk(tree, member, member.value, &mut decided, &mut found);
            }
        }
    }
    // One that does not exist is reported as such.
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

fn walk<'t>(tree: &'t Tree, member: Entry, node: NodeId, decided: &mut Decided<'t>, found: &mut Vec<Unreachable<'t>>) {
    if !tree.has(node, flags::HAS_CALL) {
        return;
    }
    match tree.view(node) {
        View::List(items) => items.iter().for_each(|&item| walk(tree, member, item, decided, found)),
        View::Map => {
            for entry in tree.entries(node).filter(|entry| tree.loop_name(entry.key).is_none()) {
                walk(tree, member, entry.value, decided, found);
            }
        }
        View::Call(Function::Known(Known::If), argument) => choice(tree, member, argument, decided, found),
        View::Call(Function::Known(Known::Transform), _) => {}
        View::Call(_, argument) => walk(tree, member, argument, decided, found),
        _ => {}
    }
}

fn choice<'t>(
    tree: &'t Tree,
    member: Entry,
    argument: NodeId,
    decided: &mut Decided<'t>,
    found: &mut Vec<Unreachable<'t>>,
) {
    let &[name, holds, fails] = tree.items(argument) else { return };
    let Some(condition) = tree.string(name) else { return };
    let known = decided.iter().find(|(name, _)| *name == condition).map(|&(_, outcome)| outcome);
    for (branch, outcome) in [(holds, true), (fails, false)] {
        match known {
            Some(known) if known != outcome => {
                // What is nothing is what an author writes who has to write something.
                let is_nothing =
                    tree.argument_of(branch, Known::Ref).and_then(|name| tree.string(name)) == Some("AWS::NoValue");
                if !is_nothing && tree.kind(branch) != Kind::Null {
                    found.push(Unreachable { member: member.key, name, branch, condition, outcome: known });
                }
            }
            Some(_) => walk(tree, member, branch, decided, found),
            None => {
                decided.push((condition, outcome));
                walk(tree, member, branch, decided, found);
                decided.pop();
            }
        }
    }
}
