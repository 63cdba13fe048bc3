//! `Fn::Range`: a list of integers, the last one excluded (reference/map-and-merge.md#range).

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Origin, Style};

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

/// Limit of the length of a range.
const MOST: i128 = 10_000;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    if ev.tree.kind(argument) != Kind::List || !(1..=3).contains(&ev.tree.len(argument)) {
        let diagnostic = ev.layout(call, Known::Range, "Fn::Range takes one to three numbers");
        return ev.wrong(diagnostic);
    }
    let outcomes = ev.arguments(argument);
    if outcomes.contains(&Outcome::Poison) {
        return Outcome::Poison;
    }
    if outcomes.iter().any(|outcome| !matches!(outcome, Outcome::Known(_) | Outcome::Secret { .. })) {
        let list = ev.argument_list(argument, &outcomes);
        return Outcome::Residual(ev.kept(call, list));
    }
    let mut numbers = Vec::with_capacity(3);
    for (at, outcome) in outcomes.iter().enumerate() {
        let number = outcome.value().and_then(|value| integer(ev, value));
        let Some(number) = number else {
            let what = format!("argument {} of Fn::Range is {}, not a whole number", at + 1, ev.shown(*outcome));
            let diagnostic = ev.layout(call, Known::Range, &what);
            return ev.wrong(diagnostic);
        };
        numbers.push(i128::from(number));
    }
    let (start, stop, step) = match *numbers {
        [stop] => (0, stop, 1),
        [start, stop] => (start, stop, 1),
        [start, stop, step, ..] => (start, stop, step),
        [] => return Outcome::Poison,
    };
    if step == 0 {
        let diagnostic = ev.layout(call, Known::Range, "the step of Fn::Range is 0");
        return ev.wrong(diagnostic);
    }
    let distance = if step > 0 { stop - start } else { start - stop };
    let count = if distance <= 0 { 0 } else { (distance - 1) / step.abs() + 1 };
    if count > MOST {
        let what = format!("Fn::Range generates {count} items, more than the limit of {MOST}");
        let diagnostic = ev.layout(call, Known::Range, &what);
        return ev.wrong(diagnostic);
    }
    if !ev.charge_elements(count as usize, call) {
        return Outcome::Poison;
    }
    let origin = Origin::Generated(call, ev.tree.frame_of(call));
    let items: Vec<NodeId> = (0..count)
        .map(|at| ev.tree.scalar(Kind::Number, Style::Plain, &(start + at * step).to_string(), origin))
        .collect();
    let list = ev.tree.list(&items, Style::Plain, origin);
    match outcomes.iter().find(|outcome| outcome.is_secret()) {
        Some(_) => Outcome::Secret { value: list, kept: call },
        None => Outcome::Known(list),
    }
}

fn integer(ev: &Evaluator<'_>, node: NodeId) -> Option<i64> {
    matches!(ev.tree.kind(node), Kind::Number | Kind::String).then(|| ev.tree.text_form(node).trim().parse().ok())?
}
