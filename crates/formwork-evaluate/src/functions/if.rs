//! `Fn::If`: only the chosen branch is evaluated; undecided it is kept, both branches computed
//! (reference/functions.md#if).

use formwork_base::display::shown;
use formwork_base::{Diagnostic, codes};
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId};
use formwork_template::fill_in::Spelling;

use crate::condition_table::Truth;
use crate::evaluator::Evaluator;
use crate::meant_calls::condition_first;
use crate::outcome::Outcome;
use crate::settings::Visibility;

fn negated(ev: &Evaluator<'_>, node: NodeId) -> Option<String> {
    let argument = ev.tree.argument_of(node, Known::Not)?;
    let &[one] = ev.tree.items(argument) else { return None };
    let name = ev.tree.argument_of(one, Known::Condition).unwrap_or(one);
    let name = ev.tree.string(name)?.to_owned();
    ev.has_condition(&name).then_some(name)
}

/// Reports the name of a condition in the place of a value, behind something that is not a condition.
fn misplaced(ev: &Evaluator<'_>, call: NodeId, argument: NodeId) -> Option<Diagnostic> {
    let items = ev.tree.items(argument);
    let is_condition = |item: &NodeId| ev.tree.string(*item).is_some_and(|name| ev.conditions.has(ev.tree, name));
    let at = items.iter().position(is_condition).filter(|&at| at > 0)?;
    let is_json = Spelling::is_json(ev.tree, ev.template.root);
    let code = condition_first(ev.tree, call, (argument, at), is_json)?;
    let name = shown(ev.tree.text(items[at]));
    let sentence = "Template error: unresolved condition dependency";
    let written = shown(ev.tree.text(items[0]));
    let diagnostic = ev
        .error(codes::UNKNOWN_CONDITION, call, format!("condition {name} is not the first argument of Fn::If"))
        .quoting(&format!("{sentence} {written} in Fn::If"))
        .help(format!("write `{code}`"));
    Some(diagnostic)
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
        return ev.wrong(misplaced(ev, call, argument).unwrap_or(diagnostic));
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
