//! Gates: effects that a change must not have to pass.

use crate::change::{Action, Data};
use crate::plan::Plan;

/// A value of `--fail-on`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gate {
    /// A resource is replaced, or may be.
    Replacement,
    /// A physical resource is deleted, or may be.
    Destructive,
    /// Data is lost, or may be.
    Data,
    /// Permissions are broadened, or may be.
    Broadening,
    /// Any difference.
    Any,
}

impl Gate {
    /// Every gate, in the order in which they are listed.
    pub const ALL: [Gate; 5] = [Gate::Replacement, Gate::Destructive, Gate::Data, Gate::Broadening, Gate::Any];

    /// Returns the value on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Gate::Replacement => "replacement",
            Gate::Destructive => "destructive",
            Gate::Data => "data",
            Gate::Broadening => "broadening",
            Gate::Any => "any",
        }
    }

    /// Returns `true` if a plan hits the gate, under any values.
    pub fn is_hit(self, plan: &Plan<'_, '_>) -> bool {
        let is_kept = |policy: Option<&str>| matches!(policy, Some("Retain" | "RetainExceptOnCreate"));
        let mut possible = plan.resources().flat_map(|(_, resource)| resource.possible());
        match self {
            Gate::Any => !plan.is_same(),
            // Without facts, only a removal is certain.
            Gate::Replacement => plan.table.is_some() && possible.any(|one| one.action.replaces()),
            Gate::Destructive => {
                plan.changes.iter().any(|change| change.export.is_some())
                    || possible.any(|one| match one.action {
                        Action::Delete | Action::MayDelete => true,
                        action => action.replaces() && plan.table.is_some() && !is_kept(one.policy),
                    })
            }
            Gate::Data => possible.any(|one| one.data == Data::Lost),
            Gate::Broadening => plan.resources().any(|(_, resource)| !resource.grants.is_empty()),
        }
    }
}
