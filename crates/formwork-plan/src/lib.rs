//! Plans: the effect of a changed CloudFormation template on a stack (reference/plan.md).
//!
//! [`fn@plan`] compares two expanded templates as plain data and reports for each resource that differs the action of
//! CloudFormation: update, replacement, deletion; lost data, rejected changes, broadened permissions. Facts about
//! resource types come through the trait [`Facts`], places in authors' files are filled in by the caller
//! (`formwork::planning`). Nothing is read, printed or cached here: the same sides and facts result in the same plan.
//!
//! A [`Side`] has the entries of each section as borrowed [`Value`]s. Read `compare`, which finds the
//! deepest differences, and `plan`, which calls the rest: `moves` and `shifts` find resources with another ID,
//! `action`, `follow`, `data` and `grants` decide their fate in CloudFormation. [`Gate`]s are effects that a change
//! must not have to pass, [`Refactor`] writes the templates and mappings that rename resources, [`nested`] finds
//! changes across the border of a nested stack, and [`render`] writes a plan in several forms.

mod action;
mod change;
mod changed_definitions;
mod compare;
mod comparison;
mod data;
mod definitions;
mod exports;
mod facts;
mod follow;
mod followers;
mod gates;
mod grants;
mod moves;
pub mod nested;
mod open;
mod outside;
mod plan;
mod possible;
mod publications;
mod refactor;
mod references;
pub mod render;
mod shifts;
mod summary;
#[cfg(test)]
mod test_facts;
#[cfg(test)]
mod test_values;
#[cfg(test)]
mod tests;
mod unknowns;
mod ways;

pub use formwork_template::Section;
pub use formwork_template::side::{Enclosure, Iteration, Member, Side, Site};
pub use formwork_template::value::{Step, Value, dotted};

pub use change::{
    Action, Blocked, Change, ChangeKind, Data, Definition, Dependency, Effect, Export, Follower, Importer, Place,
    Possible, PropertyChange, PropertyKind, ReplaceReason, ResourceChange,
};
pub use facts::{Facts, Stateful};
pub use followers::followers;
pub use gates::Gate;
pub use outside::Outside;
pub use plan::{Plan, Settings, plan, plan_within};
pub use refactor::{Left, Mapping, Refactor};
pub use shifts::{Shift, ShiftedId};
pub use summary::Summary;
pub use unknowns::{Undecided, undecided};
pub use ways::{EntryWays, Unknown, Way, Ways};
