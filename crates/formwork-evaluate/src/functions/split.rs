//! `Fn::Split`: empty parts are kept, an empty delimiter is an error (reference/functions.md#split).

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId, Origin, Style};

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let &[delimiter, source] = ev.tree.items(argument) else {
        let diagnostic = ev.layout(call, Known::Split, "Fn::Split takes a delimiter and a string");
        return ev.wrong(diagnostic);
    };
    if !ev.tree.is_scalar(delimiter) || ev.tree.text_form(delimiter).is_empty() {
        let diagnostic = ev.layout(call, Known::Split, "the delimiter of Fn::Split is not a string, or is empty");
        return ev.wrong(diagnostic);
    }
    if matches!(ev.tree.kind(source), Kind::List | Kind::Map | Kind::Null) {
        let diagnostic = ev.layout(call, Known::Split, "Fn::Split splits a single string");
        return ev.wrong(diagnostic);
    }
    let outcome = ev.resolve(source);
    match outcome {
        Outcome::Known(text) | Outcome::Secret { value: text, .. } => {
            if !ev.tree.is_scalar(text) {
                let diagnostic = ev.layout(call, Known::Split, "the function in Fn::Split does not return a string");
                return ev.fail(call, diagnostic);
            }
            let Some(value) = split(ev, call, delimiter, text) else { return Outcome::Poison };
            match outcome {
                Outcome::Secret { kept, .. } => Outcome::Secret { value, kept: rebuilt(ev, call, argument, kept) },
                _ => Outcome::Known(value),
            }
        }
        Outcome::Residual(text) => Outcome::Residual(rebuilt(ev, call, argument, text)),
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::Split, "the string of Fn::Split is AWS::NoValue");
            ev.fail(call, diagnostic)
        }
        Outcome::Poison => Outcome::Poison,
    }
}

fn split(ev: &mut Evaluator<'_>, call: NodeId, delimiter: NodeId, text: NodeId) -> Option<NodeId> {
    let parts: Vec<String> = ev.tree.text_form(text).split(ev.tree.text_form(delimiter)).map(str::to_owned).collect();
    if !ev.charge_elements(parts.len(), call) {
        return None;
    }
    let origin = Origin::Generated(call, ev.tree.frame_of(call));
    let items: Vec<NodeId> = parts.iter().map(|part| ev.tree.computed(part, origin)).collect();
    Some(ev.tree.list(&items, Style::Plain, origin))
}

fn rebuilt(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId, text: NodeId) -> NodeId {
    let delimiter = ev.tree.items(argument)[0];
    let list = ev.list_like(argument, &[delimiter, text]);
    ev.kept(call, list)
}
