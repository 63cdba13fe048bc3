//! `Ref`: the value of a parameter or pseudo parameter; kept for resources and unknown names
//! (reference/functions.md#ref).

use formwork_syntax::function::Known;
use formwork_syntax::{Kind, NodeId};
use formwork_template::PseudoParameter;

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::Visibility;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    if ev.tree.kind(argument) != Kind::Call {
        return match ev.tree.kind(argument) {
            Kind::String | Kind::Number | Kind::Bool => by_name(ev, call, argument),
            _ => {
                let diagnostic = ev.layout(call, Known::Ref, "Ref takes one name");
                ev.wrong(diagnostic)
            }
        };
    }
    match ev.resolve(argument) {
        Outcome::Known(name) if ev.tree.kind(name) == Kind::String => {
            let kept = ev.kept(call, name);
            by_name(ev, kept, name)
        }
        Outcome::Known(_) => {
            let diagnostic = ev.layout(call, Known::Ref, "the function in Ref does not return a string");
            ev.fail(call, diagnostic)
        }
        Outcome::Omit(_) => {
            let diagnostic = ev.layout(call, Known::Ref, "the function in Ref returns AWS::NoValue");
            ev.fail(call, diagnostic)
        }
        Outcome::Residual(name) | Outcome::Secret { kept: name, .. } => Outcome::Residual(ev.kept(call, name)),
        Outcome::Poison => Outcome::Poison,
    }
}

fn by_name(ev: &mut Evaluator<'_>, call: NodeId, name: NodeId) -> Outcome {
    let text = ev.tree.text(name);
    if text == PseudoParameter::NoValue.name() {
        return Outcome::Omit(call);
    }
    let Some(symbol) = ev.tree.symbols().get(text) else { return Outcome::Residual(call) };
    let Some(&bound) = ev.parameters.get(symbol) else { return Outcome::Residual(call) };
    let Some(value) = bound.value.filter(|_| ev.visibility == Visibility::Full) else {
        if ev.visibility == Visibility::Full {
            ev.look(symbol);
        }
        return Outcome::Residual(call);
    };
    ev.look(symbol);
    if bound.secret {
        return Outcome::Secret { value, kept: call };
    }
    let kind = ev.template.parameter(symbol).map(|parameter| &parameter.kind).filter(|_| ev.is_in_json());
    let value = kind.map_or(value, |kind| kind.in_json(ev.tree, value));
    let value = if bound.pseudo { ev.value_in_place(value, call) } else { ev.argument_in_place(symbol, value, call) };
    Outcome::Known(value)
}
