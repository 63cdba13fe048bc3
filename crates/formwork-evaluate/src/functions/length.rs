//! `Fn::Length`: the number of items of a list (reference/functions.md#length).

use formwork_base::codes;
use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Origin, Style};

use crate::blocker;
use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    match ev.tree.kind(argument) {
        Kind::List => literal(ev, call, argument),
        Kind::Call => computed(ev, call, argument),
        _ => {
            let diagnostic = ev.layout(call, Known::Length, "Fn::Length counts the elements of a list");
            ev.wrong(diagnostic)
        }
    }
}

/// Counts elements as written; they need not be known unless they may be `AWS::NoValue`.
fn literal(ev: &mut Evaluator<'_>, call: NodeId, list: NodeId) -> Outcome {
    let items = ev.tree.items(list).to_vec();
    let mut count = 0;
    let mut resolved = vec![None; items.len()];
    for (at, &item) in items.iter().enumerate() {
        if ev.tree.kind(item) == Kind::Null && ev.settings.language_extensions {
            continue;
        }
        if ev.tree.kind(item) != Kind::Call {
            count += 1;
            continue;
        }
        let outcome = ev.resolve(item);
        resolved[at] = Some(outcome);
        match outcome {
            Outcome::Omit(_) => {}
            Outcome::Poison => return Outcome::Poison,
            Outcome::Residual(node) if may_be_no_value(ev, node) => {
                let outcome = ev.resolve_rest(list, &resolved);
                let list = outcome.as_argument(list);
                return Outcome::Residual(ev.kept(call, list));
            }
            _ => count += 1,
        }
    }
    number(ev, call, count)
}

fn computed(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let outcome = ev.resolve(argument);
    match outcome {
        Outcome::Known(list) | Outcome::Secret { value: list, .. } => {
            if ev.tree.kind(list) != Kind::List {
                let diagnostic = ev.layout(call, Known::Length, "the function in Fn::Length does not return a list");
                return ev.fail(call, diagnostic);
            }
            let count = ev.tree.len(list);
            match (number(ev, call, count), outcome) {
                (Outcome::Known(value), Outcome::Secret { kept, .. }) => {
                    Outcome::Secret { value, kept: ev.kept(call, kept) }
                }
                (made, _) => made,
            }
        }
        // A list of which only some elements are known.
        Outcome::Residual(list) if ev.tree.kind(list) == Kind::List => literal(ev, call, list),
        Outcome::Residual(list) => {
            let kept = ev.kept(call, list);
            let causes = blocker::blockers(ev.tree, &ev.parameters, list);
            if causes.iter().all(blocker::Blocker::is_value) {
                return Outcome::Residual(kept);
            }
            let cause =
                causes.iter().find(|cause| !cause.is_value()).map(|cause| cause.text(ev.tree)).unwrap_or_default();
            let diagnostic = ev
                .sentence(
                    codes::LENGTH_UNRESOLVED,
                    call,
                    &format!("the length depends on {cause}, which is known only after deployment"),
                    "The Fn::Length value could not be resolved for properties",
                )
                .help("count a literal list or a list parameter");
            ev.fail_as(call, kept, diagnostic)
        }
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::Length, "the list of Fn::Length is AWS::NoValue");
            ev.fail(call, diagnostic)
        }
        Outcome::Poison => Outcome::Poison,
    }
}

fn number(ev: &mut Evaluator<'_>, call: NodeId, count: usize) -> Outcome {
    let origin = Origin::Generated(call, ev.tree.frame_of(call));
    Outcome::Known(ev.tree.scalar(Kind::Number, Style::Plain, &count.to_string(), origin))
}

pub(crate) fn may_be_no_value(ev: &Evaluator<'_>, node: NodeId) -> bool {
    if ev.is_no_value(node) {
        return true;
    }
    if let Some(argument) = ev.tree.argument_of(node, Known::If) {
        return ev.tree.items(argument).iter().skip(1).any(|&branch| may_be_no_value(ev, branch));
    }
    if let Some(argument) = ev.tree.argument_of(node, Known::FindInMap) {
        let default = ev
            .tree
            .items(argument)
            .get(3)
            .and_then(|&options| ev.tree.get(options, formwork_syntax::symbol::DEFAULT_VALUE));
        return default.is_some_and(|default| may_be_no_value(ev, default));
    }
    false
}
