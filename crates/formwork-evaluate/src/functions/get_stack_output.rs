//! `Fn::GetStackOutput`: an output of another stack, kept with its arguments resolved
//! (reference/functions.md#get-stack-output).

use formwork_base::display::shown;
use formwork_syntax::function::Known;
use formwork_syntax::{Entry, Function, Kind, NodeId, Origin, View};

use crate::blocker::{self, Blocker};
use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

/// Arguments, with `true` for required ones.
const ARGUMENTS: [(&str, bool); 4] = [("StackName", true), ("OutputName", true), ("Region", false), ("RoleArn", false)];

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    if ev.tree.kind(argument) != Kind::Map {
        let diagnostic = ev.layout(call, Known::GetStackOutput, "the argument of Fn::GetStackOutput is not an object");
        return ev.wrong(diagnostic);
    }
    let entries: Vec<Entry> = ev.tree.entries(argument).collect();
    let names: Vec<&str> = entries.iter().map(|entry| ev.tree.text(entry.key)).collect();
    let unknown = names.iter().find(|name| ARGUMENTS.iter().all(|(known, _)| known != *name));
    let missing = ARGUMENTS.iter().find(|(name, is_required)| *is_required && !names.contains(name));
    let error = match (unknown, missing) {
        (Some(name), _) => Some(format!("Fn::GetStackOutput does not support the argument {}", shown(name))),
        (None, Some((name, _))) => Some(format!("Fn::GetStackOutput requires {name}")),
        (None, None) => None,
    };
    if let Some(what) = error {
        let diagnostic = ev.layout(call, Known::GetStackOutput, &what);
        return ev.wrong(diagnostic);
    }
    let mut resolved = Vec::with_capacity(entries.len());
    for entry in &entries {
        let outcome = ev.resolve(entry.value);
        if outcome == Outcome::Poison {
            return Outcome::Poison;
        }
        if let Some(what) = misfit(ev, outcome) {
            let name = shown(ev.tree.text(entry.key));
            let diagnostic = ev
                .layout(call, Known::GetStackOutput, &format!("{name} of Fn::GetStackOutput is {what}"))
                .note("arguments are strings, `Ref`, `Fn::FindInMap`, `Fn::GetAtt` or `Fn::If`");
            let is_literal = ev.tree.kind(entry.value) != Kind::Call;
            return if is_literal { ev.wrong(diagnostic) } else { ev.fail(call, diagnostic) };
        }
        resolved.push(Entry { key: entry.key, value: outcome.as_argument(entry.value) });
    }
    if resolved == entries {
        return Outcome::Residual(call);
    }
    let (style, origin) = (ev.tree.style(argument), Origin::Generated(argument, ev.tree.frame_of(argument)));
    let argument = ev.tree.map(&resolved, style, origin);
    Outcome::Residual(ev.kept(call, argument))
}

/// Describes an argument that cannot be a string; `None` for one that can.
fn misfit(ev: &Evaluator<'_>, outcome: Outcome) -> Option<String> {
    match outcome {
        Outcome::Known(node) | Outcome::Residual(node) | Outcome::Secret { value: node, .. } => misfit_node(ev, node),
        Outcome::Omit(_) => Some("AWS::NoValue".to_owned()),
        Outcome::Poison => None,
    }
}

fn misfit_node(ev: &Evaluator<'_>, node: NodeId) -> Option<String> {
    match ev.tree.view(node) {
        View::List(_) => Some("a list".to_owned()),
        View::Map => Some("an object".to_owned()),
        View::Null => Some("null".to_owned()),
        View::Call(Function::Known(Known::Ref), name) if ev.tree.string(name) == Some("AWS::NoValue") => {
            Some("AWS::NoValue".to_owned())
        }
        View::Call(Function::Known(Known::Ref | Known::FindInMap | Known::GetAtt), _) => None,
        View::Call(Function::Known(Known::If), argument) => {
            ev.tree.items(argument).iter().skip(1).find_map(|&branch| misfit_node(ev, branch))
        }
        // The transform computes functions that need only values.
        View::Call(function, _) => {
            let is_computed = ev.settings.language_extensions
                && blocker::blockers(ev.tree, &ev.parameters, node).iter().all(Blocker::is_value);
            (!is_computed).then(|| format!("a call of {}", ev.tree.function_name(function)))
        }
        _ => None,
    }
}
