//! What a change of a CloudFormation template does to a stack (reference/plan.md).
//!
//! [`fn@plan`] compares two expanded templates as plain data and reports of each resource that differs what
//! CloudFormation does with it: update, replacement, deletion; what is lost, what is refused, what may do more than
//! before. Facts about resource types come through the trait [`Facts`], places of authors' files are filled in by the
//! caller (`formwork::planning`). Nothing is read, printed or remembered here: the same sides and facts result in the
//! same plan.
//!
//! A [`Side`] has the entries of each section as [`Value`]s, which borrow from what they were read from. Read `side`,
//! then `compare`, which finds the deepest differences, and `plan`, which calls the rest: `moves` and `shifts` find
//! what has another ID, `action`, `follow`, `data` and `grants` what CloudFormation does with it. [`Gate`]s are what a
//! change must not do to pass, [`Refactor`] writes the templates and mappings that rename resources, [`nested`] has
//! what changes across the border of a nested stack, and [`render`] the forms of a plan.

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
mod gates;
mod grants;
mod moves;
pub mod nested;
mod open;
mod outside;
mod plan;
mod possible;
mod refactor;
mod references;
pub mod render;
mod shifts;
mod side;
mod summary;
#[cfg(test)]
mod test_facts;
#[cfg(test)]
mod test_values;
#[cfg(test)]
mod tests;
mod unknowns;
mod value;
mod ways;

pub use change::{
    Action, Blocked, Change, ChangeKind, Data, Definition, Dependency, Effect, Export, Place, Possible, PropertyChange,
    PropertyKind, ReplaceReason, ResourceChange,
};
pub use facts::{Facts, Stateful};
pub use gates::Gate;
pub use outside::Outside;
pub use plan::{Plan, Settings, plan, plan_within};
pub use refactor::{Left, Mapping, Refactor};
pub use references::sub_parts;
pub use shifts::{Shift, ShiftedId};
pub use side::{Enclosure, Iteration, Member, Section, Side, Site};
pub use summary::Summary;
pub use unknowns::{Undecided, undecided};
pub use value::{Step, Value, dotted};
pub use ways::{EntryWays, Unknown, Way, Ways};
