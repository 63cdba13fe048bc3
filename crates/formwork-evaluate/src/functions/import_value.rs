//! `Fn::ImportValue`: kept; `resolve` takes the value from account data only.

use formwork_syntax::NodeId;

use crate::evaluator::Evaluator;
use crate::outcome::Outcome;
use crate::settings::Values;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let outcome = ev.resolve(argument);
    if outcome == Outcome::Poison {
        return Outcome::Poison;
    }
    if ev.settings.values == Values::Resolve
        && let Outcome::Known(name) = outcome
        && let Some(value) = ev.tree.string(name).and_then(|name| ev.facts.export(ev.tree, name))
    {
        let text = ev.tree.text_form(value).to_owned();
        return ev.text_in_place(&text, call);
    }
    let argument = outcome.as_argument(argument);
    Outcome::Residual(ev.kept(call, argument))
}
