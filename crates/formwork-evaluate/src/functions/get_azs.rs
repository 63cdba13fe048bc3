//! `Fn::GetAZs`: kept; `resolve` takes the zones from account data only.

use formwork_syntax::{Kind, NodeId, Origin, Style};

use crate::evaluator::Evaluator;
use crate::facts::AVAILABILITY_ZONE;
use crate::outcome::Outcome;
use crate::settings::Values;

pub(crate) fn reduce(ev: &mut Evaluator<'_>, call: NodeId, argument: NodeId) -> Outcome {
    let outcome = ev.resolve(argument);
    if outcome == Outcome::Poison {
        return Outcome::Poison;
    }
    if ev.settings.values == Values::Resolve
        && let Some(zones) = zones(ev, outcome)
    {
        if !ev.charge_elements(zones.len(), call) {
            return Outcome::Poison;
        }
        let origin = Origin::Generated(call, ev.tree.frame_of(call));
        let items: Vec<NodeId> = zones.iter().map(|zone| ev.tree.computed(zone, origin)).collect();
        return Outcome::Known(ev.tree.list(&items, Style::Plain, origin));
    }
    let argument = outcome.as_argument(argument);
    Outcome::Residual(ev.kept(call, argument))
}

/// Returns the zones, if the facts are about the queried Region. For another Region than the stack's own they are not
/// known (reference/functions.md#cidr).
fn zones(ev: &Evaluator<'_>, region: Outcome) -> Option<Vec<String>> {
    let Outcome::Known(region) = region else { return None };
    let asked = ev.tree.string(region)?;
    let own = ev.tree.symbols().get("AWS::Region").and_then(|name| ev.parameters.get(name)?.value);
    let captured = ev.facts.pseudo.iter().find(|(name, _)| *name == "AWS::Region").map(|&(_, node)| ev.tree.text(node));
    let own = own.map(|node| ev.tree.text(node));
    if captured.is_some() && captured != own {
        return None;
    }
    if !asked.is_empty() && Some(asked) != own {
        return own.is_some().then(Vec::new);
    }
    debug_assert!(ev.tree.kind(region) == Kind::String);
    let zones = ev.facts.all_of(ev.tree, AVAILABILITY_ZONE)?;
    Some(zones.into_iter().map(|zone| ev.tree.name(zone).to_owned()).collect())
}
