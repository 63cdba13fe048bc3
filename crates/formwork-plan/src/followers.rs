//! Properties that follow the value of an export (reference/plan.md#exports).

use crate::change::{Effect, Follower};
use crate::plan::Plan;

/// Returns the properties that a plan between two values of an import changes.
pub fn followers(plan: &Plan<'_, '_>) -> Vec<Follower> {
    let mut found = Vec::new();
    for change in &plan.changes {
        found.extend(change.properties.iter().map(|property| Follower {
            id: change.id.to_owned(),
            property: crate::dotted(&property.path),
            effect: match property.effect {
                Effect::Replace(_) => "replaces",
                Effect::MayReplace(_) => "may replace",
                _ => "updates",
            },
            line: property.place.as_ref().map(|place| place.line),
        }));
    }
    found
}
