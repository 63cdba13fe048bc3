//! `Fn::If`: only the chosen branch is evaluated; undecided it is kept, both branches computed
//! (reference/functions.md#if).

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId};

use crate::condition_table::Truth;
use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::Visibility;

fn negated(ev: &Evaluator<'_>, node: NodeId) -> Option<String> {
    let argument = ev.tree.argument_of(node, Known::Not)?;
    let &[one] = ev.tree.items(argument) else { return None };
    let name = ev.tree.argument_of(one, Known::Condition).unwrap_or(one);
    let name = ev.tree.string(name)?.to_owned();
    ev.has_condition(&name).then_some(name)
}

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let &[name, then, otherwise] = ev.tree.items(argument) else {
        let diagnostic = ev.layout(call, Known::If, "Fn::If takes a condition name and two values");
        return ev.wrong(diagnostic);
    };
    if ev.tree.kind(name) != Kind::String {
        let diagnostic = ev.layout(call, Known::If, "the condition name of Fn::If must be a literal string");
        let help = if ev.tree.is_scalar(name) {
            format!("write `\"{}\"` in quotes: an unquoted one is read as another type", ev.tree.text(name))
        } else if let Some(negated) = negated(ev, name) {
            format!("write `{negated}`, and swap the two values")
        } else {
            "declare a condition under Conditions and write its name".to_owned()
        };
        // A name with an item of a loop is rejected as it is written as well, at its own place.
        let is_reported_there = ev.tree.is_generated(name) || ev.tree.is_scalar(name);
        let place = if is_reported_there { ev.tree.span(name) } else { ev.tree.span(call) };
        return ev.wrong(diagnostic.help(help).at(place));
    }
    let text = ev.tree.text(name).to_owned();
    if !ev.has_condition(&text) {
        let diagnostic = ev.unknown_condition(
            name,
            &text,
            &format!("Template error: unresolved condition dependency {text} in Fn::If"),
        );
        return ev.wrong(diagnostic);
    }
    let truth = if ev.visibility == Visibility::Full { ev.condition(&text) } else { None };
    match truth {
        Some(Truth::True) => {
            ev.look_at_unused(otherwise);
            ev.resolve(then)
        }
        Some(Truth::False) => {
            ev.look_at_unused(then);
            ev.resolve(otherwise)
        }
        Some(Truth::Poison) => Outcome::Poison,
        Some(Truth::Unknown) | None => {
            ev.mode.lenient += 1;
            let branches = [ev.resolve_optional(then, call), ev.resolve_optional(otherwise, call)];
            ev.mode.lenient -= 1;
            if branches.contains(&Outcome::Poison) {
                return Outcome::Poison;
            }
            let list = ev.argument_list(argument, &[Outcome::Known(name), branches[0], branches[1]]);
            Outcome::Residual(ev.kept(call, list))
        }
    }
}
